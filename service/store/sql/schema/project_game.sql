-- Writes a game's projection anew, folded from its entries up to p_version; p_summary needs "start"
-- (its players are not read: who sits where is a source). Refuses with YC001 where the game has
-- gone on since: fold the new entries and come again.
CREATE FUNCTION carnet.project_game(
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
    -- The rows of its chain are written, too.
    PERFORM lock_games(p_club_id, (
        SELECT jsonb_agg(jsonb_build_object('game_id', one))
        FROM unnest(chain_of(p_club_id, p_game_id)) AS one
    ), true);
    PERFORM lock_groups(p_club_id, false);

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

REVOKE EXECUTE ON FUNCTION carnet.project_game FROM PUBLIC;
