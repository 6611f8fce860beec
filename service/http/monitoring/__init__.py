"""Whether the service lives, and what it measures: logs, metrics, traces."""
