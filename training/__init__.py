"""Training of the reader, and the corpus that it learns from. Nothing of the service depends on it."""
