"""The list of a game's entries, for reading and correcting."""
