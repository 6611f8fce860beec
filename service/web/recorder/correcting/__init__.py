"""Corrections: a preview of their consequences, and the forms that make them."""
