"""Summaries as pure functions: which turns each covers, what it says without a language model, and when it is due.

What a language model writes is checked here, and refused where it does not say what it rests on.

Nothing here reads a clock, a database or a model: vectors and counts of tokens come as arguments.
"""
