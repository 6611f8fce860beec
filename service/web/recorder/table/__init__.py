"""The table as a reader sees it: the board, where entries lie on it, how deals came out."""
