"""Corrections: what one does, told before, and the forms that make it."""
