"""Dutch, also Tamalou, Cactus or Pablo. The rules for people: RULES.md beside this file."""
