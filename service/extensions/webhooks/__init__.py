"""Webhooks: entries and signed heads, sent to programs and chats."""
