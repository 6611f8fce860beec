"""The store: an append-only log of every game, and what people read of it, in PostgreSQL.

server       the server: embedded or by address, brought to the schema in sql/
connection   connections that work as the service's role, of one club each
records      what goes in and comes out
log          append, read, walk; the hash chain; everything given out and taken back
feed         the order of all entries, its signed heads, webhooks
read_models  lists, points, standings: rebuildable at any time
club         clubs, players, seasons, quotas, backups
access       owner's key, members, sessions, links, tokens
"""
