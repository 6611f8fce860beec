"""Tests of the store, on every PostgreSQL server there is."""
