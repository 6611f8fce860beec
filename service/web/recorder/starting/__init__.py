"""A new game: seating and options, also in place of another game."""
