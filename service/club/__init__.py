"""Everybody's games: history, people, standings, exports of many."""
