"""Tests of the commands of `carnet`, run as programs."""
