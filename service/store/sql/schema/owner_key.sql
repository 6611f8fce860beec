-- The key of a club's owner, as a hash: made on the first start and shown once.
CREATE TABLE carnet.owner_key (
    club_id  uuid        PRIMARY KEY,
    key_hash bytea       NOT NULL CHECK (octet_length(key_hash) = 32),
    set_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
