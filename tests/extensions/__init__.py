"""Tests of optional features, each with its own helpers."""
