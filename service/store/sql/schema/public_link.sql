-- Links that anybody may open: a game up to version `until`, or (null) the whole of it. Their tokens
-- are in a table of their own, so that none of these can ever be taken for one that lets people in.
-- The token is readable: whoever made the link is shown its address again.
CREATE TABLE carnet.public_link (
    club_id    uuid        NOT NULL,
    link_id    uuid        NOT NULL,
    game_id    uuid        NOT NULL,
    until      integer     CHECK (until >= 1),
    sites      text[]      NOT NULL DEFAULT '{}',
    name       text        NOT NULL DEFAULT '' CHECK (char_length(name) <= 100),
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    token      text        NOT NULL CHECK (token <> ''),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (club_id, link_id),
    UNIQUE (club_id, token_hash)
);
