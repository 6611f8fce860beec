-- Removes what nobody can use any more and nothing refers to: browsers' sessions that were not seen
-- for a while, and invitations that expired unused. Links, tokens and members stay: entries and lists
-- name them.
--   p_days: how long ago, at least; a session's cookie lasts no longer.
-- Answers with how many rows were removed.
CREATE FUNCTION carnet.remove_ended(p_club_id uuid, p_days integer) RETURNS integer
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

REVOKE EXECUTE ON FUNCTION carnet.remove_ended FROM PUBLIC;
