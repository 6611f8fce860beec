"""Tests of score sheets as files."""
