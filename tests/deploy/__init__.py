"""Tests of what runs Carnet."""
