"""The store: an append-only log of every game and its read models, in PostgreSQL.

server       the server, embedded or by address, migrated to the schema in sql/
connection   pooled connections as the service's role, each of one club
records      rows and arguments
log          append, read, walk, hash chain, dump and restore
feed         the order of all entries, signed heads, webhooks
read_models  lists, points, standings; rebuildable at any time
club         clubs, players, seasons, quotas, backups
access       grants (keys, links, tokens, sessions) and members

Every call may raise `StoreUnavailable`.
"""
