"""The server and its schema: embedded or by address, brought up, migrated, spread over nodes."""
