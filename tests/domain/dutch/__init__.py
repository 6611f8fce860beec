"""Tests of Dutch, one fact each, named by the clause."""
