-- Calls for another club than the session's are refused. An older Carnet says no club, and stops.

-- Refuses a call for another club than the session, or the transaction, said to be of
-- (carnet.club_id). One that said none is of the club of the call. For functions that run as the
-- owner, whom no policy binds.
--
-- Refuses: insufficient_privilege
CREATE FUNCTION carnet.refuse_other_club(p_club_id uuid) RETURNS void
    LANGUAGE plpgsql STABLE
AS $$
BEGIN
    IF coalesce(current_setting('carnet.club_id', true), '') NOT IN ('', p_club_id::text) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'a call for another club than the session''s';
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_other_club FROM PUBLIC;

-- Names the clubs whose webhooks wait for something: the one thing that is asked of all clubs.
CREATE FUNCTION carnet.clubs_told() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    RETURN QUERY SELECT DISTINCT w.club_id FROM webhook w WHERE w.state = 'on';
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.clubs_told FROM PUBLIC;

ALTER VIEW carnet.entry_json SET (security_invoker = true);

CREATE OR REPLACE FUNCTION carnet.append(p_club_id uuid, p_commands jsonb, p_wait boolean)
    RETURNS TABLE (
        verdict text, version integer, recorded_at timestamptz, hashes bytea[], names text[],
        erased integer[]
    )
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    held      uuid[];
    command   record;
    last_hash bytea;
    known     boolean;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM refuse_stale_view();
    held := lock_games(p_club_id, p_commands, p_wait);

    FOR command IN
        SELECT * FROM jsonb_to_recordset(p_commands) AS c (
            game_id uuid, version integer, command_id uuid, recorded_by uuid,
            looked_through boolean, entries jsonb, summary jsonb, deals jsonb)
    LOOP
        version := NULL; recorded_at := NULL; hashes := NULL; names := NULL; erased := NULL;
        IF command.game_id <> ALL (held) THEN
            verdict := 'busy';
            RETURN NEXT;
            CONTINUE;
        END IF;

        SELECT e.version, e.hash INTO version, last_hash
        FROM entry e
        WHERE e.club_id = p_club_id AND e.game_id = command.game_id
        ORDER BY e.version DESC LIMIT 1;
        IF NOT FOUND THEN
            version := 0;
            last_hash := seating_hash(command.summary -> 'start' -> 'players');
        END IF;

        IF version <> command.version OR NOT command.looked_through THEN
            known := same_command(
                p_club_id, command.game_id, command.command_id, command.entries
            );
            verdict := CASE WHEN known THEN 'repeated'
                            WHEN NOT known THEN 'reused'
                            WHEN version <> command.version THEN 'conflict' END;
            IF verdict IS NOT NULL THEN
                RETURN NEXT;
                CONTINUE;
            END IF;
        END IF;

        verdict := 'stored';
        recorded_at := clock_timestamp();
        hashes := write_entries(p_club_id, command.game_id, version, last_hash,
                                command.command_id, command.recorded_by, recorded_at,
                                command.entries);
        IF version = 0 THEN
            PERFORM take_seats(p_club_id, command.game_id, command.summary -> 'start');
        END IF;
        version := version + cardinality(hashes);
        PERFORM write_projection(p_club_id, command.game_id, version, recorded_at,
                                 command.summary, command.deals);
        names := ARRAY(
            SELECT p.name
            FROM seat s JOIN player p ON p.club_id = s.club_id AND p.player_id = s.player_id
            WHERE s.club_id = p_club_id AND s.game_id = command.game_id
            ORDER BY s.seat
        );
        erased := ARRAY(
            SELECT t.version FROM free_text t
            WHERE t.club_id = p_club_id AND t.game_id = command.game_id AND t.text IS NULL
        );
        RETURN NEXT;
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION carnet.project_game(
    p_club_id uuid, p_game_id uuid, p_version integer, p_summary jsonb, p_deals jsonb
) RETURNS void
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    head record;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM lock_game(p_club_id, p_game_id);

    SELECT e.version, e.recorded_at INTO head
    FROM entry e
    WHERE e.club_id = p_club_id AND e.game_id = p_game_id
    ORDER BY e.version DESC LIMIT 1;

    IF coalesce(head.version, 0) <> p_version THEN
        PERFORM refuse_conflict(coalesce(head.version, 0), p_version);
    END IF;
    PERFORM write_projection(
        p_club_id, p_game_id, p_version, head.recorded_at, p_summary, p_deals
    );
END
$$;

CREATE OR REPLACE FUNCTION carnet.erase_text(p_club_id uuid, p_game_id uuid, p_version integer)
    RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    PERFORM refuse_other_club(p_club_id);
    UPDATE free_text
    SET text = NULL, salt = NULL
    WHERE club_id = p_club_id AND game_id = p_game_id AND version = p_version;
    RETURN FOUND;
END
$$;

CREATE OR REPLACE FUNCTION carnet.remove_ended(p_club_id uuid, p_days integer) RETURNS integer
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

CREATE OR REPLACE FUNCTION carnet.extend_feed(p_club_id uuid)
    RETURNS TABLE (head bigint, added integer, oldest timestamptz)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
    SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    mark  feed_mark;
    now   pg_snapshot;
    began xid8;
    going xid8[];
    here  bigint;
    known boolean;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM refuse_stale_view();
    IF NOT pg_try_advisory_xact_lock(feed_key(p_club_id)) THEN
        head := coalesce((SELECT m.position FROM feed_mark m WHERE m.club_id = p_club_id), 0);
        RETURN NEXT;
        RETURN;
    END IF;

    -- Under the lock: a statement sees what was committed before it began.
    SELECT * INTO mark FROM feed_mark m WHERE m.club_id = p_club_id;
    here := (SELECT c.system_identifier FROM pg_control_system() c);
    known := coalesce(mark.server = here, false);
    head := coalesce(mark.position, 0);
    now := pg_current_snapshot();
    began := pg_snapshot_xmax(mark.seen);
    going := ARRAY(SELECT pg_snapshot_xip(mark.seen));

    IF known THEN
        INSERT INTO feed (club_id, position, game_id, version, hash)
        SELECT p_club_id, head + row_number() OVER (ORDER BY place, version), game_id, version, hash
        FROM (
            SELECT e.game_id, e.version, e.hash,
                   max(e.position) OVER (PARTITION BY e.game_id ORDER BY e.version) AS place
            FROM entry e
            WHERE e.club_id = p_club_id
              AND (e.xid >= began AND e.xid < pg_snapshot_xmax(now) OR e.xid = ANY (going))
              AND pg_visible_in_snapshot(e.xid, now)
              AND NOT EXISTS (
                  SELECT FROM feed f
                  WHERE f.club_id = p_club_id AND f.game_id = e.game_id AND f.version = e.version
              )
        ) new;
    ELSE
        INSERT INTO feed (club_id, position, game_id, version, hash)
        SELECT p_club_id, head + row_number() OVER (ORDER BY place, version), game_id, version, hash
        FROM (
            SELECT e.game_id, e.version, e.hash,
                   max(e.position) OVER (PARTITION BY e.game_id ORDER BY e.version) AS place
            FROM entry e
            WHERE e.club_id = p_club_id
              AND NOT EXISTS (
                  SELECT FROM feed f
                  WHERE f.club_id = p_club_id AND f.game_id = e.game_id AND f.version = e.version
              )
        ) new;
    END IF;
    GET DIAGNOSTICS added = ROW_COUNT;

    IF added > 0 THEN
        oldest := (
            SELECT e.recorded_at
            FROM feed f
            JOIN entry e ON e.club_id = p_club_id AND e.game_id = f.game_id AND e.version = f.version
            WHERE f.club_id = p_club_id AND f.position = head + 1
        );
        head := head + added;
    END IF;
    IF added > 0 OR NOT known THEN
        INSERT INTO feed_mark (club_id, position, seen, server)
        VALUES (p_club_id, head, now, here)
        ON CONFLICT (club_id) DO UPDATE
        SET position = excluded.position, seen = excluded.seen, server = excluded.server;
    END IF;
    RETURN NEXT;
END
$$;

CREATE OR REPLACE FUNCTION carnet.tell_webhooks(p_club_id uuid, p_most integer)
    RETURNS TABLE (hooks integer, behind integer, failed integer)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    hook  webhook;
    head  bigint;
    until bigint;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    head := coalesce((SELECT m.position FROM feed_mark m WHERE m.club_id = p_club_id), 0);
    FOR hook IN
        SELECT * FROM webhook w
        WHERE w.club_id = p_club_id AND w.state = 'on' AND w.position < head
        ORDER BY w.webhook_id FOR UPDATE SKIP LOCKED
    LOOP
        until := least(head, hook.position + p_most);
        INSERT INTO webhook_delivery (club_id, webhook_id, position, game_id, version, type, next_at)
        SELECT p_club_id, hook.webhook_id, f.position, f.game_id, f.version, e.type, now()
        FROM feed f
        JOIN entry e ON e.club_id = f.club_id AND e.game_id = f.game_id AND e.version = f.version
        WHERE f.club_id = p_club_id AND f.position > hook.position AND f.position <= until
          AND (hook.game_id IS NULL OR f.game_id = hook.game_id)
          AND (hook.types IS NULL OR e.type = ANY (hook.types))
        ON CONFLICT (club_id, webhook_id, position) DO NOTHING;
        UPDATE webhook w SET position = until
        WHERE w.club_id = p_club_id AND w.webhook_id = hook.webhook_id;
        DELETE FROM webhook_delivery d
        WHERE d.club_id = p_club_id AND d.webhook_id = hook.webhook_id AND d.next_at IS NULL
          AND d.created_at < now() - interval '30 days';
    END LOOP;
    SELECT count(*), count(*) FILTER (WHERE w.state = 'on' AND w.position < head),
           count(*) FILTER (WHERE w.state IN ('failed', 'gone'))
    INTO hooks, behind, failed
    FROM webhook w WHERE w.club_id = p_club_id;
    RETURN NEXT;
END
$$;

CREATE OR REPLACE FUNCTION carnet.claim_deliveries(
    p_club_id uuid, p_most integer, p_seconds double precision, p_heads boolean DEFAULT false
)
    RETURNS TABLE (
        webhook_id uuid, place bigint, game_id uuid, version integer, type text,
        attempts integer, by_hand boolean, url text, form text, events text[], language text,
        site text, secret bytea, old_secret bytea, note text, created_at timestamptz
    )
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    due record;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    FOR due IN
        SELECT d.webhook_id AS hook_id, d.position AS at_place, d.game_id AS of_game,
               d.version AS of_version, d.type AS of_type, d.attempts AS tried, d.by_hand AS asked,
               w.url AS to_url, w.form AS in_form, w.events AS for_events, w.language AS lang,
               w.site AS from_site, w.secret AS key, d.note AS head, d.created_at AS made_at,
               CASE WHEN w.old_until > now() THEN w.old_secret END AS old_key
        FROM webhook_delivery d
        JOIN webhook w ON w.club_id = d.club_id AND w.webhook_id = d.webhook_id
        WHERE d.club_id = p_club_id AND d.next_at <= now() AND (w.state = 'on' OR d.by_hand)
          AND (p_heads OR d.note IS NULL)
          AND (d.by_hand OR NOT EXISTS (
              SELECT FROM webhook_delivery b
              WHERE b.club_id = p_club_id AND b.webhook_id = d.webhook_id AND b.game_id = d.game_id
                AND b.position < d.position AND b.next_at IS NOT NULL AND NOT b.by_hand
          ))
        ORDER BY d.next_at, d.position LIMIT p_most
        FOR UPDATE OF d SKIP LOCKED
    LOOP
        UPDATE webhook_delivery d
        SET next_at = now() + make_interval(secs => p_seconds), attempts = d.attempts + 1,
            status = NULL, error = NULL
        WHERE d.club_id = p_club_id AND d.webhook_id = due.hook_id AND d.position = due.at_place;
        webhook_id := due.hook_id; place := due.at_place; game_id := due.of_game;
        version := due.of_version; type := due.of_type; attempts := due.tried + 1;
        by_hand := due.asked; url := due.to_url; form := due.in_form; events := due.for_events;
        language := due.lang; site := due.from_site; secret := due.key; old_secret := due.old_key;
        note := due.head; created_at := due.made_at;
        RETURN NEXT;
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION carnet.add_delivery(
    p_club_id uuid, p_webhook_id uuid, p_type text, p_note text, p_apart interval
)
    RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM FROM webhook w
    WHERE w.club_id = p_club_id AND w.webhook_id = p_webhook_id FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF EXISTS (
        SELECT FROM webhook_delivery d
        WHERE d.club_id = p_club_id AND d.webhook_id = p_webhook_id
          AND (d.note = p_note
               OR p_note IS NOT NULL AND d.note IS NOT NULL AND d.created_at > now() - p_apart)
    ) THEN
        RETURN true;
    END IF;
    LOOP
        INSERT INTO webhook_delivery (club_id, webhook_id, position, type, by_hand, next_at, note)
        SELECT p_club_id, p_webhook_id, least(0, min(d.position)) - 1, p_type, p_note IS NULL, now(),
               p_note
        FROM webhook_delivery d
        WHERE d.club_id = p_club_id AND d.webhook_id = p_webhook_id
        ON CONFLICT (club_id, webhook_id, position) DO NOTHING;
        IF FOUND THEN
            RETURN true;
        END IF;
    END LOOP;
END
$$;
