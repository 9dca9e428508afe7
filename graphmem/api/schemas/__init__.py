"""Frozen models of what the service is asked over HTTP, and what of its answers is decided where they are made."""
