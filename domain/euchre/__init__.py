"""Two-handed Euchre: 24, 25 or 32 cards. The rules for people: RULES.md beside this file."""
