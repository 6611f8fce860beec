"""The clubs of a process: the parts of each, made when somebody comes with a secret of it."""
