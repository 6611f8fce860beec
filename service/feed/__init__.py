"""The feed of a club, its followers."""
