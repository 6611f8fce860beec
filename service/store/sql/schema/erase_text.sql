-- Erases the free text of an entry; false where it has none. One that was erased stays so.
CREATE FUNCTION carnet.erase_text(p_club_id uuid, p_game_id uuid, p_version integer)
    RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    PERFORM refuse_other_club(p_club_id);
    UPDATE free_text
    SET text = NULL, salt = NULL
    WHERE club_id = p_club_id AND game_id = p_game_id AND version = p_version;
    RETURN FOUND;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.erase_text FROM PUBLIC;
