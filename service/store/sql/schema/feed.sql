-- The order of all entries of a club: positions from 1 without a gap, given once and for all to what
-- is committed (extend_feed). hash is the entry's: an entry that is not what was numbered is named.
CREATE TABLE carnet.feed (
    club_id  uuid    NOT NULL,
    game_id  uuid    NOT NULL,
    position bigint  NOT NULL CHECK (position > 0),
    version  integer NOT NULL CHECK (version > 0),
    hash     bytea   NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (club_id, position),
    UNIQUE (club_id, game_id, version)
);
