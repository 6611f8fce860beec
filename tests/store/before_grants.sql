-- The tables of access as they were before migrations/001_access_grant.sql, and rows in each.
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
CREATE INDEX link_by_game ON carnet.link (club_id, game_id);
CREATE TRIGGER link_keeps_columns
    BEFORE UPDATE ON carnet.link
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('revoked_at');
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
CREATE INDEX public_link_by_game ON carnet.public_link (club_id, game_id);
CREATE TRIGGER public_link_keeps_columns
    BEFORE UPDATE ON carnet.public_link
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('revoked_at');
CREATE TABLE carnet.owner_key (
    club_id  uuid        PRIMARY KEY,
    key_hash bytea       NOT NULL CHECK (octet_length(key_hash) = 32),
    set_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER owner_key_keeps_columns
    BEFORE UPDATE ON carnet.owner_key
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('key_hash', 'set_at');
CREATE TABLE carnet.invitation (
    club_id    uuid        NOT NULL,
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    member_id  uuid        NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    PRIMARY KEY (club_id, token_hash)
);
CREATE TRIGGER invitation_keeps_columns
    BEFORE UPDATE ON carnet.invitation
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('used_at');
CREATE TABLE carnet.session (
    club_id    uuid        NOT NULL,
    session_id uuid        NOT NULL,
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    name       text        NOT NULL CHECK (char_length(name) <= 100),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at   timestamptz,
    PRIMARY KEY (club_id, session_id),
    UNIQUE (club_id, token_hash)
);
CREATE TRIGGER session_keeps_columns
    BEFORE UPDATE ON carnet.session
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('name', 'seen_at', 'ended_at');
CREATE TABLE carnet.session_key (
    club_id    uuid        NOT NULL,
    session_id uuid        NOT NULL,
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    opened_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, session_id, token_hash)
);
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
CREATE TRIGGER api_token_keeps_columns
    BEFORE UPDATE ON carnet.api_token
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('seen_at', 'revoked_at');
CREATE FUNCTION carnet.remove_ended(p_club_id uuid, p_days integer) RETURNS integer
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    until   timestamptz := clock_timestamp() - make_interval(days => greatest(p_days, 30));
    removed integer := 0;
    n       integer;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    DELETE FROM session_key k USING session s
    WHERE k.club_id = p_club_id AND s.club_id = p_club_id AND s.session_id = k.session_id
      AND s.seen_at < until;
    GET DIAGNOSTICS n = ROW_COUNT;
    removed := removed + n;

    DELETE FROM session s
    WHERE s.club_id = p_club_id AND s.seen_at < until;
    GET DIAGNOSTICS n = ROW_COUNT;
    removed := removed + n;

    DELETE FROM invitation i
    WHERE i.club_id = p_club_id AND i.used_at IS NULL AND i.expires_at < until;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN removed + n;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.remove_ended FROM PUBLIC;
INSERT INTO carnet.link (club_id, link_id, game_id, role, name, token_hash, expires_at, revoked_at) VALUES
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000002', 'scorer', 'Grandma''s tablet', sha256('scorer'), NULL, NULL),
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000002', 'viewer', '', sha256('viewer'), '2020-01-01T00:00Z', NULL),
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000005', '00000000-0000-4000-8000-000000000002', 'viewer', '', sha256('revoked'), NULL, '2021-01-01T00:00Z');
INSERT INTO carnet.public_link (club_id, link_id, game_id, until, sites, name, token_hash, token) VALUES
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000006', '00000000-0000-4000-8000-000000000002', 1, '{https://a.example}', 'For the club', sha256('public'), 'public');
INSERT INTO carnet.api_token (club_id, token_id, token_hash, name, role, games, seen_at) VALUES
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000007', sha256('token'), 'A display', 'reader', '{00000000-0000-4000-8000-000000000002}', now());
INSERT INTO carnet.owner_key (club_id, key_hash) VALUES ('00000000-0000-4000-8000-000000000001', sha256('key'));
INSERT INTO carnet.member (club_id, member_id, name, role) VALUES ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000008', 'Ann', 'scorer');
INSERT INTO carnet.invitation (club_id, token_hash, member_id, expires_at, used_at) VALUES
    ('00000000-0000-4000-8000-000000000001', sha256('used'), '00000000-0000-4000-8000-000000000008', now() + interval '1 day', now()),
    ('00000000-0000-4000-8000-000000000001', sha256('unused'), '00000000-0000-4000-8000-000000000008', now() + interval '1 day', NULL);
INSERT INTO carnet.session (club_id, session_id, token_hash, name) VALUES
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000009', sha256('browser'), 'Kitchen');
INSERT INTO carnet.session_key (club_id, session_id, token_hash) VALUES
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000009', sha256('used')), ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000009', sha256('scorer')), ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000009', sha256('key'));
