"""Benchmarks of user-visible times, compared with other programs: `deploy/dev.py bench`."""
