"""Tests of records in and out."""
