-- The log. A game is the entries of one (club_id, game_id), numbered from 1 without a gap; the hash
-- of each covers that of the one before it (the first: who sits where, seating_hash), which is stored
-- there alone.
-- A command is stored in a game once: append sees to it under the game's lock. The columns stand in
-- an order that leaves no gaps.
CREATE TABLE carnet.entry (
    club_id        uuid        NOT NULL,
    game_id        uuid        NOT NULL,
    version        integer     NOT NULL CHECK (version > 0),
    -- The n-th entry (from 0) of the command that wrote it.
    ordinal        smallint    NOT NULL CHECK (ordinal >= 0),
    schema_version smallint    NOT NULL CHECK (schema_version > 0),
    -- Private: the transaction that wrote it.
    xid            xid8        NOT NULL DEFAULT pg_current_xact_id(),
    command_id     uuid        NOT NULL,
    recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    recorded_by    uuid,
    type           text        NOT NULL,
    -- Canonical JSON in UTF-8: exactly the bytes that are hashed.
    data           bytea       NOT NULL,
    hash           bytea       NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (club_id, game_id, version)
);
