"""The games of a club together: history, people, evenings, seasons, standings."""
