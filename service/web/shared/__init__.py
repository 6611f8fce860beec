"""Public pages of a game, opened by a link without a session."""
