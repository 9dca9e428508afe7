"""A small encoder that reads one turn: spans with predicate, effect, subject, status and time.

It is a library of its own: it knows nothing of the service.
"""
