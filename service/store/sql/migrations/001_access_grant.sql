-- Links, public links, invitations, tokens, sessions and owners' keys become rows of one table.
-- A database that was made with that table is left as it is.
DO $migration$
BEGIN
    IF to_regclass('carnet.link') IS NULL THEN
        RETURN;
    END IF;

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
    CREATE INDEX access_grant_by_game ON carnet.access_grant (club_id, (games[1])) WHERE kind = 'link';
    CREATE UNIQUE INDEX access_grant_owner_key ON carnet.access_grant (club_id)
        WHERE kind = 'owner_key' AND revoked_at IS NULL;
    CREATE TRIGGER access_grant_keeps_columns
        BEFORE UPDATE ON carnet.access_grant
        FOR EACH ROW EXECUTE FUNCTION
        carnet.refuse_other_columns('name', 'seen_at', 'used_at', 'revoked_at');

    INSERT INTO carnet.access_grant
        (club_id, grant_id, kind, secret_hash, role, games, name, created_at, expires_at, revoked_at)
    SELECT club_id, link_id, 'link', token_hash, role, ARRAY[game_id], name, created_at, expires_at,
           revoked_at
    FROM carnet.link;

    -- The first tables of public links kept no readable token: their addresses cannot be shown again.
    INSERT INTO carnet.access_grant
        (club_id, grant_id, kind, secret_hash, secret, role, games, until, sites, name, created_at,
         expires_at, revoked_at)
    SELECT club_id, link_id, 'link', token_hash, to_jsonb(p) ->> 'token', 'public', ARRAY[game_id],
           until, sites, name, created_at, expires_at, revoked_at
    FROM carnet.public_link p;

    INSERT INTO carnet.access_grant
        (club_id, grant_id, kind, secret_hash, role, games, name, created_at, expires_at, seen_at,
         revoked_at)
    SELECT club_id, token_id, 'token', token_hash, role, games, name, created_at, expires_at, seen_at,
           revoked_at
    FROM carnet.api_token;

    INSERT INTO carnet.access_grant (club_id, grant_id, kind, secret_hash, role, created_at)
    SELECT club_id, gen_random_uuid(), 'owner_key', key_hash, 'owner', set_at FROM carnet.owner_key;

    INSERT INTO carnet.access_grant
        (club_id, grant_id, kind, secret_hash, member_id, created_at, expires_at, used_at)
    SELECT club_id, gen_random_uuid(), 'invitation', token_hash, member_id,
           expires_at - interval '3 days', expires_at, used_at
    FROM carnet.invitation;

    INSERT INTO carnet.access_grant
        (club_id, grant_id, kind, secret_hash, opened, name, created_at, seen_at, revoked_at)
    SELECT s.club_id, s.session_id, 'session', s.token_hash,
           ARRAY (SELECT k.token_hash FROM carnet.session_key k
                  WHERE k.club_id = s.club_id AND k.session_id = s.session_id
                  ORDER BY k.opened_at, k.token_hash),
           s.name, s.created_at, s.seen_at, s.ended_at
    FROM carnet.session s;

    DROP TABLE carnet.link, carnet.public_link, carnet.api_token, carnet.owner_key,
               carnet.invitation, carnet.session, carnet.session_key;

    -- remove_ended
    CREATE OR REPLACE FUNCTION carnet.remove_ended(p_club_id uuid, p_days integer) RETURNS integer
        LANGUAGE plpgsql
        SECURITY DEFINER
        SET search_path = carnet, pg_temp
    AS $$
DECLARE
    seen_before timestamptz := clock_timestamp() - make_interval(days => greatest(p_days, 30));
    removed     integer;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    DELETE FROM access_grant g
    WHERE g.club_id = p_club_id
      AND (g.kind = 'session' AND g.seen_at < seen_before
           OR g.kind = 'invitation' AND g.used_at IS NULL AND g.expires_at < seen_before);
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$$;
END
$migration$;
