"""The pages in a real Chromium, against the real service: what people see, tap and are told."""
