"""The pages of people: players, one player, standings."""
