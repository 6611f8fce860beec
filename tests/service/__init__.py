"""Tests of the service, from the command line to the store."""
