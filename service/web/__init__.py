"""The pages: what a person at the table sees and taps. Everything works by forms; JavaScript only makes it instant."""
