"""Games as files: a single `game`, or the `history` of many."""
