-- Lists a game with all games before and after it that it goes on from, or that go on from it.
CREATE FUNCTION carnet.chain_of(p_club_id uuid, p_game_id uuid) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    RETURN ARRAY(
        WITH RECURSIVE earlier AS (
            SELECT p_game_id AS game_id
            UNION
            SELECT c.continues FROM earlier e
            JOIN continuation c ON c.club_id = p_club_id AND c.game_id = e.game_id
        ), every AS (
            SELECT game_id FROM earlier
            UNION
            SELECT c.game_id FROM every e
            JOIN continuation c ON c.club_id = p_club_id AND c.continues = e.game_id
        )
        SELECT game_id FROM every
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.chain_of FROM PUBLIC;
