-- Tells what can be seen now of a club's results, and the first game of a period, by when it was
-- started (p_from, p_before; NULL: without a bound), that changed since p_seen could be seen.
-- p_seen NULL: of changes nothing. lost: the server knows less than it did then; p_seen says nothing.
-- Of all changes between the two looks the first is told now or the next time, never by neither.
CREATE FUNCTION carnet.results_changed(
    p_club_id uuid, p_seen text, p_from timestamptz, p_before timestamptz
) RETURNS TABLE (seen text, started_at timestamptz, game_id uuid, lost boolean)
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    before pg_snapshot := p_seen::pg_snapshot;
    now    pg_snapshot := pg_current_snapshot();
BEGIN
    seen := now::text;
    lost := coalesce(pg_snapshot_xmax(before) > pg_snapshot_xmax(now), false);
    SELECT c.started_at, c.game_id INTO started_at, game_id
    FROM result_change c
    WHERE c.club_id = p_club_id
      AND c.xid >= pg_snapshot_xmin(before) AND NOT pg_visible_in_snapshot(c.xid, before)
      AND c.xid < pg_snapshot_xmax(now)
      AND (p_from IS NULL OR c.started_at >= p_from)
      AND (p_before IS NULL OR c.started_at < p_before)
    ORDER BY c.started_at, c.game_id LIMIT 1;
    RETURN NEXT;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.results_changed FROM PUBLIC;
