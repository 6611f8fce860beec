"""A new game: who sits where, and the game in the place of another."""
