"""Durak by French and German table rules. RULES.md beside this file states them for players."""
