"""Tests of decoding, and of the faults reported for malformed input."""
