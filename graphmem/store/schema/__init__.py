"""Constraints and indexes."""
