"""The feed of a club, its followers and its webhooks."""
