"""Common code of all games: cards, common entries, the log and its effective history."""
