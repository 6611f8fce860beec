"""Rami 51: two packs of 54, two to six players."""
