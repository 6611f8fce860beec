"""Rami 51: two packs of 54, two to six players. The rules for people: RULES.md beside this file."""
