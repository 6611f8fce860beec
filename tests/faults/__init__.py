"""Faults injected into a running service: real processes, sockets and signals."""
