"""A dump of the database of every release, and the upgrade from it."""
