"""One game at the table: started, appended to, read, followed."""
