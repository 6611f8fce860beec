-- Writes the title of all games anew that were started with one of these. Assumes the lock of the
-- groups.
CREATE FUNCTION carnet.title_again(p_club_id uuid, p_titles uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    -- In the order in which an append of several games updates them.
    PERFORM FROM game g
    WHERE g.club_id = p_club_id AND g.game_id IN (
        SELECT t.game_id FROM game_title t
        WHERE t.club_id = p_club_id AND t.title_id = ANY (p_titles)
    )
    ORDER BY g.game_id FOR NO KEY UPDATE;
    UPDATE game g SET title_id = t.title_id
    FROM game_title s JOIN titled t ON t.club_id = s.club_id AND t.game_id = s.game_id
    WHERE s.club_id = p_club_id AND s.title_id = ANY (p_titles)
      AND g.club_id = s.club_id AND g.game_id = s.game_id;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.title_again FROM PUBLIC;
