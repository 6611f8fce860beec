"""What the service says in three languages: refusals, the words of the table, French as printed."""
