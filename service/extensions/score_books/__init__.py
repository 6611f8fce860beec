"""Score books: tables of old scores, read as games with points only."""
