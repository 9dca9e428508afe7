"""Reflections without a language model, as pure functions: what the memories of a week are, and what is said of them.

Nothing here reads a clock, a database or a model: what was read and the count of tokens come as arguments.
"""
