"""Pages in a real Chromium, served by the real service."""
