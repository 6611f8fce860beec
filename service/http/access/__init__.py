"""Links to a game, and whether an open page may still be."""
