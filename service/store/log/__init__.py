"""The log of every game: append, read, hash chain, snapshots, dump and restore."""
