"""One game as files: score sheet and log."""
