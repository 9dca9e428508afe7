"""A small encoder that reads one turn: spans with predicate, effect, subject, status and time. It knows nothing of the service."""
