-- The signed heads of a club's feed: what its first entries came to, each as a note (C2SP
-- tlog-checkpoint). What was signed stays signed: verify holds the feed to each.
CREATE TABLE carnet.head (
    club_id   uuid        NOT NULL,
    size      bigint      NOT NULL CHECK (size >= 0),
    note      text        NOT NULL,
    signed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, size, signed_at)
);
