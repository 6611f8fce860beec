"""Import and export of games and whole clubs."""
