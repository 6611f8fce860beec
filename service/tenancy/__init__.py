"""The clubs of a process: the services of each, made when somebody comes with a secret of it."""
