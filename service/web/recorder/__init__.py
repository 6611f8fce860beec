"""The pages at the table: a game started, recorded, corrected."""
