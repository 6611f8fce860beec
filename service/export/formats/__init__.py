"""Formats as such: CSV, XLSX, what is typeset; they know of no game."""
