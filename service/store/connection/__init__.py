"""Connections to the store: pooled, of one club each, traced, their errors ours."""
