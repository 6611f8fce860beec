-- What programs come with. Only the hash of a token is stored; no games: it reaches the club.
CREATE TABLE carnet.api_token (
    club_id    uuid        NOT NULL,
    token_id   uuid        NOT NULL,
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    name       text        NOT NULL CHECK (char_length(name) <= 100),
    role       text        NOT NULL CHECK (role IN ('owner', 'scorer', 'reader')),
    games      uuid[]      NOT NULL CHECK (role <> 'owner' OR cardinality(games) = 0),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz,
    seen_at    timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (club_id, token_id),
    UNIQUE (club_id, token_hash)
);
