"""Score sheets as files for other programs and for people."""
