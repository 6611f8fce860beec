"""Tests of everybody's games."""
