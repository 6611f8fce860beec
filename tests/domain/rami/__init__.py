"""Rami 51, clause by clause."""
