"""Health checks, access log, metrics, traces."""
