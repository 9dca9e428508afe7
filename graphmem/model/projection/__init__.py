"""From claims to beliefs: slots, policies, identities, and ``project``, which is pure."""
