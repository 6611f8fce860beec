"""Tests of the feed's parts that need no database."""
