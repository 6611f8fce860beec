"""What is true at the table: pure functions over frozen structs."""
