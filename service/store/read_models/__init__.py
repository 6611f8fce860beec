"""Read models: lists, points of deals, standings; rebuildable at any time."""
