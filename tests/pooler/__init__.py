"""What goes on through a pooler before the database. These tests need PgBouncer."""
