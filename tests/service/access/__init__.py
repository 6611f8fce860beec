"""Tests of authentication and rights."""
