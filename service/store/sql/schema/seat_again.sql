-- Writes the players of all games anew in which one of these entries of people has a seat. Assumes
-- the lock of the groups.
CREATE FUNCTION carnet.seat_again(p_club_id uuid, p_players uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    -- In the order in which an append of several games updates them.
    PERFORM FROM game g
    WHERE g.club_id = p_club_id AND g.game_id IN (
        SELECT t.game_id FROM seat t WHERE t.club_id = p_club_id AND t.player_id = ANY (p_players)
    )
    ORDER BY g.game_id FOR NO KEY UPDATE;
    UPDATE game g
    SET players = ARRAY(
        SELECT s.player_id FROM seated s
        WHERE s.club_id = p_club_id AND s.game_id = g.game_id ORDER BY s.seat
    )
    WHERE g.club_id = p_club_id AND g.game_id IN (
        SELECT t.game_id FROM seat t WHERE t.club_id = p_club_id AND t.player_id = ANY (p_players)
    );
    UPDATE game_player g SET player_id = s.player_id
    FROM seat t
    JOIN seated s ON s.club_id = t.club_id AND s.game_id = t.game_id AND s.seat = t.seat
    WHERE t.club_id = p_club_id AND t.player_id = ANY (p_players)
      AND g.club_id = t.club_id AND g.game_id = t.game_id AND g.seat = t.seat;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.seat_again FROM PUBLIC;
