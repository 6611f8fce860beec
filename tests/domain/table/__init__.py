"""Tests of what all games share."""
