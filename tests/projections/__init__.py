"""Tests of read models."""
