"""Everything with side effects: store, HTTP, pages, exports and the command line."""
