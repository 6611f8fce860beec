"""One game as files: its score sheet and its log."""
