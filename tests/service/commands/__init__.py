"""Tests of the commands of `carnet`, run as anybody runs them."""
