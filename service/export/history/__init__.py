"""Many games as files: the history, standings, a season on paper."""
