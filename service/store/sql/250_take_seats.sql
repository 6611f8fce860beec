-- Records who sits where, seat 0 first, from a summary's "start": {"players": [uuid, …]}.
CREATE FUNCTION carnet.take_seats(p_club_id uuid, p_game_id uuid, p_start jsonb) RETURNS void
    LANGUAGE sql
    SET search_path = carnet, pg_temp
AS $$
    INSERT INTO seat (club_id, game_id, seat, player_id)
    SELECT p_club_id, p_game_id, n - 1, player::uuid
    FROM jsonb_array_elements_text(p_start -> 'players') WITH ORDINALITY AS players (player, n);
$$;

REVOKE EXECUTE ON FUNCTION carnet.take_seats FROM PUBLIC;
