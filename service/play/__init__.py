"""A single game: start, append, read, follow."""
