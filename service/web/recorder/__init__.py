"""The recording pages: start a game, record it, correct it."""
