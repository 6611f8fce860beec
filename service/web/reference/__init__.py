"""The interface for programs, told to people."""
