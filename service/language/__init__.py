"""Sentences in three languages: refusals, words of the games, French typography."""
