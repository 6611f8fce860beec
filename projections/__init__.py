"""Pure folds from entries to what people read, rebuildable at any time."""
