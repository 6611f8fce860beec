"""Pooled connections to the database, each of one club at a time, with our errors."""
