"""Constraints and indexes as this version needs them, and rows as an older version left them."""
