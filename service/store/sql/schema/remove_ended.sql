-- Removes what nobody can use any more and nothing refers to: browsers' sessions that were
-- not seen for a while, with what was opened in them, and invitations that expired unused. Links,
-- tokens and members stay: entries and lists name them.
--   p_days: how long ago, at least; a session's cookie lasts no longer.
-- Answers with how many rows were removed.
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
