"""Tests, in the folders of the modules under test."""
