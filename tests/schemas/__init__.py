"""What can be decoded, and what is said of what cannot."""
