"""Who is who, as pure functions: names in, identities out."""
