"""Rami 51: two packs of 54, two to six players.

RULES.md beside this file states the rules for players.
"""
