"""The pure parts of the pages: forms, undo, the look, words."""
