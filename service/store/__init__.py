"""The store: an append-only log of every game, and what people read of it, in PostgreSQL.

Promises: what `EventStore.append` answered is on disk; a game's entries are numbered without a gap,
chained by hash and never changed; projections stand in the transaction of their entries; a command
is stored once. Assumes PostgreSQL 15 or newer: the embedded server (`embedded`) or any other.

    embedded   starts and stops the embedded server
    migrate    brings a database to the schema in sql/
    pool       connections that work as the service's role
    events     append, read, walk
    projections, players, links, owner_key
    dump       gives everything out
    restore    takes an export back, entry for entry
    chain      the hash chain, computed and verified apart from the database
"""
