"""The order of all entries of a club, its signed heads, and its webhooks."""
