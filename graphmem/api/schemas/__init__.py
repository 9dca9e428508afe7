"""Frozen models of what the service is asked over HTTP, and how its answers are made of the model."""
