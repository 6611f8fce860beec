"""The pages of who may do what: signing in, links, preferences."""
