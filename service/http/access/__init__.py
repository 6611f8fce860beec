"""Links to a game, and the stream that signs a page out."""
