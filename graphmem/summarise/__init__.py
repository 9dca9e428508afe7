"""Summaries without a language model, as pure functions: which turns each covers, what it says, and when it is due.

Nothing here reads a clock, a database or a model: vectors and counts of tokens come as arguments.
"""
