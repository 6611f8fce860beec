"""The order of all entries of a club, its signed heads, and the webhooks that are told."""
