"""Two-handed Euchre with 24, 25 or 32 cards.

RULES.md beside this file states the rules for players.
"""
