"""The order of everything that was recorded: given, and followed."""
