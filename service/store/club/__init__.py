"""Clubs, their people, seasons, backups and quotas."""
