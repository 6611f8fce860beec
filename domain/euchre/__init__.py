"""Two-handed Euchre with 24, 25 or 32 cards."""
