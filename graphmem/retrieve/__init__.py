"""Ranking, as pure functions."""
