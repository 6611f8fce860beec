-- Links handed to phones. Only the hash of a link's token is stored.
CREATE TABLE carnet.link (
    club_id    uuid        NOT NULL,
    link_id    uuid        NOT NULL,
    game_id    uuid        NOT NULL,
    role       text        NOT NULL CHECK (role IN ('scorer', 'viewer')),
    name       text        NOT NULL DEFAULT '' CHECK (char_length(name) <= 100),
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (club_id, link_id),
    UNIQUE (club_id, token_hash)
);
