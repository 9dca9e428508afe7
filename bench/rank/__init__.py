"""Weights of turns fitted to questions whose answers are known, from the lists that a running service gives."""
