-- The log. A game is the entries of one (club_id, game_id), numbered from 1 without a gap;
-- each carries the hash of the one before it (the first: 32 zero bytes).
CREATE TABLE carnet.entry (
    club_id        uuid        NOT NULL,
    game_id        uuid        NOT NULL,
    version        integer     NOT NULL CHECK (version > 0),
    -- Private: an order of all entries, with gaps, and the transaction that wrote each.
    position       bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    xid            xid8        NOT NULL DEFAULT pg_current_xact_id(),
    -- The n-th entry (from 0) of the command that wrote it.
    command_id     uuid        NOT NULL,
    ordinal        smallint    NOT NULL CHECK (ordinal >= 0),
    type           text        NOT NULL,
    schema_version smallint    NOT NULL CHECK (schema_version > 0),
    recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    recorded_by    uuid,
    -- Canonical JSON in UTF-8: exactly the bytes that are hashed.
    data           bytea       NOT NULL,
    prev_hash      bytea       NOT NULL CHECK (octet_length(prev_hash) = 32),
    hash           bytea       NOT NULL,
    PRIMARY KEY (club_id, game_id, version),
    UNIQUE (club_id, game_id, command_id, ordinal),
    CONSTRAINT entry_hash_is_right CHECK (
        hash = carnet.entry_hash(
            club_id, game_id, version, command_id, ordinal, type, schema_version,
            recorded_at, recorded_by, data, prev_hash
        )
    )
);
