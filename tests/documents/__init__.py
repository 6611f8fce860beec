"""Tests of what documents and docstrings tell people to type."""
