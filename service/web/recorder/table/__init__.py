"""The table: the board, the entries behind its cards, and the outcome of deals."""
