"""Reflections as pure functions: what the memories of a week are, what is said of them, and what a model may write.

Nothing here reads a clock, a database or a model: what was read and the count of tokens come as arguments.
"""
