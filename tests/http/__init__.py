"""The API, against the real service on the real PostgreSQL."""
