"""The server and its schema: embedded or by address, migrated, distributed."""
