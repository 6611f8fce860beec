"""The clubs, who plays in them, their seasons and backups, and how much they may store."""
