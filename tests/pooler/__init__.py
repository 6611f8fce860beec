"""The service behind a connection pooler. These tests need PgBouncer."""
