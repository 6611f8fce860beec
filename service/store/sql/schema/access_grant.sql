-- Whatever lets somebody in, by its kind: the owner's key, a link to a game, the invitation of a member's
-- device, a program's token, a browser's session. Of a secret the hash is stored; of a link that anybody
-- may open (role public) the secret too, so that its address can be shown again.
--   games: those it reaches, none: the club; until: a public link shows the game up to that version;
--   opened: the hashes of what was opened in a session, which may do what they open now;
--   player_id: of a session that is no member's, who uses it, as they said.
CREATE TABLE carnet.access_grant (
    club_id     uuid        NOT NULL,
    grant_id    uuid        NOT NULL,
    kind        text        NOT NULL,
    secret_hash bytea       NOT NULL CHECK (octet_length(secret_hash) = 32),
    secret      text        CHECK (secret IS NULL OR (role = 'public' AND secret <> '') IS TRUE),
    role        text,
    games       uuid[]      NOT NULL DEFAULT '{}',
    until       integer     CHECK (until >= 1),
    sites       text[]      NOT NULL DEFAULT '{}',
    member_id   uuid,
    opened      bytea[]     NOT NULL DEFAULT '{}',
    name        text        NOT NULL DEFAULT '' CHECK (char_length(name) <= 100),
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at  timestamptz,
    seen_at     timestamptz,
    used_at     timestamptz,
    revoked_at  timestamptz,
    player_id   uuid,
    PRIMARY KEY (club_id, grant_id),
    UNIQUE (club_id, secret_hash),
    CONSTRAINT access_grant_of_its_kind CHECK (
        (CASE kind
            WHEN 'owner_key' THEN role = 'owner' AND cardinality(games) = 0
            WHEN 'link' THEN role IN ('scorer', 'viewer', 'public') AND cardinality(games) = 1
            WHEN 'invitation' THEN role IS NULL AND member_id IS NOT NULL AND expires_at IS NOT NULL
            WHEN 'token' THEN role IN ('scorer', 'reader') OR role = 'owner' AND cardinality(games) = 0
            WHEN 'session' THEN role IS NULL AND cardinality(games) = 0 AND seen_at IS NOT NULL
        END) IS TRUE
    )
);
