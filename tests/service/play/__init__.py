"""Tests of one game at the table, as the service plays it."""
