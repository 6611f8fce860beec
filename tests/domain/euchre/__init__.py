"""Two-handed Euchre, clause by clause."""
