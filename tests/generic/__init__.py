"""Tests that every game must pass; a new game is found by its name."""
