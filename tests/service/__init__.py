"""Tests of the service: what is impure, from the command line to the edge of the store."""
