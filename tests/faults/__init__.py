"""What breaks under a running service, broken on purpose: real processes, sockets and signals."""
