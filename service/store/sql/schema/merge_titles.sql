-- Gives the games of one title to another, and removes the first. False: one of them is not there.
CREATE FUNCTION carnet.merge_titles(p_club_id uuid, p_title_id uuid, p_into uuid) RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    PERFORM refuse_other_club(p_club_id);
    -- Waits for games that start with one of them, and lets none start meanwhile.
    PERFORM FROM title t
    WHERE t.club_id = p_club_id AND t.title_id IN (p_title_id, p_into)
    ORDER BY t.title_id FOR UPDATE;
    IF (SELECT count(*) FROM title t
        WHERE t.club_id = p_club_id AND t.title_id IN (p_title_id, p_into)) < 2 THEN
        RETURN false;
    END IF;
    UPDATE game_title t SET title_id = p_into
    WHERE t.club_id = p_club_id AND t.title_id = p_title_id;
    UPDATE game g SET title_id = p_into WHERE g.club_id = p_club_id AND g.title_id = p_title_id;
    DELETE FROM title t WHERE t.club_id = p_club_id AND t.title_id = p_title_id;
    RETURN true;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.merge_titles FROM PUBLIC;
