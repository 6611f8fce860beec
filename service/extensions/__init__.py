"""Optional features. Only the composition root imports them (a layer of import-linter)."""
