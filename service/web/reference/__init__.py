"""The API reference as a page."""
