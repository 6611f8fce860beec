-- Removes a title's name for good, with those that were merged into it; the games stay. Returns
-- the title; NULL: there is none.
CREATE FUNCTION carnet.forget_title(p_club_id uuid, p_title_id uuid) RETURNS uuid
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    root uuid;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM lock_groups(p_club_id, true);
    SELECT coalesce(t.group_id, t.title_id) INTO root FROM title t
    WHERE t.club_id = p_club_id AND t.title_id = p_title_id;
    UPDATE title t SET name = NULL, folded = NULL
    WHERE t.club_id = p_club_id AND coalesce(t.group_id, t.title_id) = root;
    RETURN root;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.forget_title FROM PUBLIC;
