"""Everything impure: the store, HTTP, pages, exports and the command line."""
