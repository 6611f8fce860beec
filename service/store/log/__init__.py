"""The log of every game: appended to, read, chained, walked whole, given out and taken back."""
