-- Reads what a writer cannot know of a game that it appended to: the players and their names by seat,
-- and the versions whose text was erased.
CREATE FUNCTION carnet.seats_and_erasures(
    p_club_id uuid, p_game_id uuid, OUT players uuid[], OUT names text[], OUT erased integer[]
)
    LANGUAGE plpgsql
AS $$
BEGIN
    SELECT array_agg(s.player_id ORDER BY s.seat), array_agg(s.name ORDER BY s.seat)
    INTO players, names
    FROM carnet.seated s
    WHERE s.club_id = p_club_id AND s.game_id = p_game_id;
    erased := ARRAY(
        SELECT t.version FROM carnet.free_text t
        WHERE t.club_id = p_club_id AND t.game_id = p_game_id AND t.text IS NULL
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.seats_and_erasures FROM PUBLIC;
