-- Finds what saves most work of the standings kept under p_fold that are still true: no game up to
-- there, of a period as in results_changed, changed since they were folded.
CREATE FUNCTION carnet.newest_standings(
    p_club_id uuid, p_fold text, p_from timestamptz, p_before timestamptz
) RETURNS TABLE (games integer, started_at timestamptz, game_id uuid, seen text, state bytea)
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    now pg_snapshot := pg_current_snapshot();
BEGIN
    RETURN QUERY
    SELECT k.games, k.started_at, k.game_id, k.seen::text, k.state
    FROM standings_kept k
    WHERE k.club_id = p_club_id AND k.fold = p_fold
      AND pg_snapshot_xmax(k.seen) <= pg_snapshot_xmax(now)
      AND NOT EXISTS (
          SELECT FROM result_change c
          WHERE c.club_id = p_club_id
            AND c.xid >= pg_snapshot_xmin(k.seen) AND NOT pg_visible_in_snapshot(c.xid, k.seen)
            AND c.xid < pg_snapshot_xmax(now)
            AND (p_from IS NULL OR c.started_at >= p_from)
            AND (p_before IS NULL OR c.started_at < p_before)
            AND (c.started_at, c.game_id) <= (k.started_at, k.game_id)
      )
    ORDER BY k.games DESC LIMIT 1;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.newest_standings FROM PUBLIC;
