"""Tests of deployment files."""
