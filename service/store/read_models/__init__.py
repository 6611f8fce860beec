"""What people read of the log: lists, points of deals, standings; rebuildable at any time."""
