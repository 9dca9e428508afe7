"""Texts to unit vectors. The only room with embedding models."""
