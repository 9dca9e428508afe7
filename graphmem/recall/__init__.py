"""Reading as of a time: search, context, and answers about what was believed."""
