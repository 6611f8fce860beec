-- The Merkle tree over a club's feed (RFC 9162): the root of every full tile of 256 leaves, from 0.
-- Computed from the feed, and kept so that a root need not read all of it.
CREATE TABLE carnet.feed_tile (
    club_id uuid   NOT NULL,
    tile    bigint NOT NULL CHECK (tile >= 0),
    hash    bytea  NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (club_id, tile)
);
