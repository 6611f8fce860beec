"""Signed heads of a club's feed, and proofs against them."""
