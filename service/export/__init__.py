"""Games as files for other programs and for people: one `game`, or the `history` of many."""
