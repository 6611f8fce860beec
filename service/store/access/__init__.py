"""Who may what: owner's key, members, sessions, links and tokens."""
