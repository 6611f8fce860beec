-- Removes a person's name for good, with those that were merged into or with them; the games stay.
-- Returns the person; NULL: there is none.
CREATE FUNCTION carnet.forget_player(p_club_id uuid, p_player_id uuid) RETURNS uuid
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    person uuid;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM lock_groups(p_club_id, true);
    SELECT coalesce(p.person_id, p.player_id) INTO person FROM player p
    WHERE p.club_id = p_club_id AND p.player_id = p_player_id;
    UPDATE player p SET name = NULL, folded = NULL, same_name = false
    WHERE p.club_id = p_club_id AND coalesce(p.person_id, p.player_id) = person;
    RETURN person;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.forget_player FROM PUBLIC;
