"""Everybody's games: history, people, evenings, seasons, standings."""
