"""Shared parts of commands: choice of clubs, processes, output."""
