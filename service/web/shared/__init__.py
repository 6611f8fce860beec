"""Games as anybody may see them, by a link that opens without a key."""
