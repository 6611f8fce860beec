"""The games of a club together: history, people, standings, exports."""
