"""Tests of `domain`: one fact each, named by the clause."""
