"""What is common to all requests and answers, as ASGI middleware."""
