-- Writes who played a game, from the seats and the game's own row.
CREATE FUNCTION carnet.write_game_players(p_club_id uuid, p_game_id uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    INSERT INTO game_player (club_id, game_id, seat, player_id, ruleset, started_at)
    SELECT g.club_id, g.game_id, s.seat, s.player_id, g.ruleset, g.started_at
    FROM game g
    JOIN seated s ON s.club_id = g.club_id AND s.game_id = g.game_id
    WHERE g.club_id = p_club_id AND g.game_id = p_game_id
    ON CONFLICT (club_id, game_id, seat) DO UPDATE
    SET player_id = excluded.player_id, ruleset = excluded.ruleset,
        started_at = excluded.started_at;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_game_players FROM PUBLIC;
