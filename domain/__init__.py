"""Rules of play as pure functions over frozen structs."""
