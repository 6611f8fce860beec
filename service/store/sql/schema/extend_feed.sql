-- Gives the next positions of a club's feed to every entry that was committed since the last call.
-- Whoever calls is the sequencer while the call lasts; who comes meanwhile is told that it is busy.
--
-- Answers with one row:
--   head    the last position of the feed
--   added   how many this call gave; NULL: somebody else is giving some
--   oldest  when the first of them was recorded
--
-- What is new is what this look sees and the last one did not: transactions that began after it, and
-- those that were going on then. One that is still going on stalls nobody: it is found when it ends.
-- An entry is committed after those before it in its game and seen with them. They are put in the
-- order of their times and, in a game, of their versions, also where a clock was set back. On another
-- server than the last time (a dump was restored), where transactions have other numbers, everything
-- is looked through.
-- It is planned at every call (0.3 ms), for these transactions and the tables as long as they are: a
-- plan that was kept walked the whole feed, made while that was short, or of numbers nobody knew yet.
CREATE FUNCTION carnet.extend_feed(p_club_id uuid)
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
        SELECT p_club_id, head + row_number() OVER (ORDER BY place, game_id, version), game_id, version, hash
        FROM (
            SELECT e.game_id, e.version, e.hash,
                   max(e.recorded_at) OVER (PARTITION BY e.game_id ORDER BY e.version) AS place
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
        SELECT p_club_id, head + row_number() OVER (ORDER BY place, game_id, version), game_id, version, hash
        FROM (
            SELECT e.game_id, e.version, e.hash,
                   max(e.recorded_at) OVER (PARTITION BY e.game_id ORDER BY e.version) AS place
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

REVOKE EXECUTE ON FUNCTION carnet.extend_feed FROM PUBLIC;
