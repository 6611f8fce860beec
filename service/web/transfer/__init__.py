"""Pages for import, export and backup."""
