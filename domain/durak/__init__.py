"""Durak by French and German table rules. The rules for people: RULES.md beside this file."""
