-- Writes whether a game goes on as another that was not undone.
CREATE FUNCTION carnet.note_continued(p_club_id uuid, p_game_id uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    goes_on boolean;
BEGIN
    goes_on := EXISTS (
        SELECT FROM continuation c
        JOIN game n ON n.club_id = p_club_id AND n.game_id = c.game_id
        WHERE c.club_id = p_club_id AND c.continues = p_game_id AND NOT n.detached
    );
    UPDATE game g SET continued = goes_on
    WHERE g.club_id = p_club_id AND g.game_id = p_game_id AND g.continued <> goes_on;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.note_continued FROM PUBLIC;
