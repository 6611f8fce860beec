"""The list of a game's entries, to look through and to correct."""
