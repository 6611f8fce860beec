"""ASGI middleware for all requests and responses."""
