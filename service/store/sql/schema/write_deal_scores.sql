-- Writes scores of a game that has p_count ended deals: [{"deal", "version", "points", "detail"}, …].
-- The scores of other deals up to that number stay, so that the next deal of a long game costs one
-- row. A score's time is that of the entry that ended its deal.
CREATE FUNCTION carnet.write_deal_scores(
    p_club_id uuid, p_game_id uuid, p_count integer, p_deals jsonb
) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    DELETE FROM deal_score s
    WHERE s.club_id = p_club_id AND s.game_id = p_game_id AND s.deal > p_count;

    INSERT INTO deal_score AS s (club_id, game_id, deal, version, points, detail, at)
    SELECT p_club_id, p_game_id, d.deal, d.version, d.points, d.detail, e.recorded_at
    FROM jsonb_to_recordset(p_deals) AS d(deal integer, version integer, points integer[], detail jsonb)
    LEFT JOIN entry e
      ON e.club_id = p_club_id AND e.game_id = p_game_id AND e.version = d.version
    ON CONFLICT (club_id, game_id, deal) DO UPDATE
    SET version = excluded.version, points = excluded.points, detail = excluded.detail,
        at = excluded.at
    WHERE (s.version, s.points, s.detail, s.at)
          IS DISTINCT FROM (excluded.version, excluded.points, excluded.detail, excluded.at);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_deal_scores FROM PUBLIC;
