"""The clubs of a process: the services of each are created at its first request."""
