"""Grants and members."""
