-- Links that anybody may open: a game up to version `until`, or (null) the whole of it. Their tokens
-- stand apart from those that let people in, so that none of these can ever be taken for one.
CREATE TABLE carnet.public_link (
    club_id    uuid        NOT NULL,
    link_id    uuid        NOT NULL,
    game_id    uuid        NOT NULL,
    until      integer     CHECK (until >= 1),
    sites      text[]      NOT NULL DEFAULT '{}',
    name       text        NOT NULL DEFAULT '' CHECK (char_length(name) <= 100),
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (club_id, link_id),
    UNIQUE (club_id, token_hash)
);
