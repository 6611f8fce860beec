"""Tests of examples in documents and docstrings."""
