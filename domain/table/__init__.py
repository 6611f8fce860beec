"""What all games share at the table: cards, common entries, the log and what stands of it."""
