"""What every registered game must pass: found by its name, with nothing to add for a new one."""
