"""Pure folds from entries to read models, which can be rebuilt at any time."""
