"""The pages of records: taken in, given out."""
