"""Any other game, recorded by the points of each round."""
