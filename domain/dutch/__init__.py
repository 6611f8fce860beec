"""Dutch, also Tamalou, Cactus or Pablo. RULES.md beside this file states the rules for players."""
