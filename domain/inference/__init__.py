"""The kernel: evidence in, the deals that fit out. Exact."""
