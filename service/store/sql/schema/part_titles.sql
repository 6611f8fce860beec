-- Undoes a merge: the title, and those that were merged into it, are a title of their own again.
-- False: it is not merged.
CREATE FUNCTION carnet.part_titles(p_club_id uuid, p_title_id uuid) RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    was     uuid;
    members uuid[];
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM lock_groups(p_club_id, true);
    SELECT t.group_id INTO was FROM title t
    WHERE t.club_id = p_club_id AND t.title_id = p_title_id;
    IF was IS NULL THEN
        RETURN false;
    END IF;
    members := ARRAY(
        WITH RECURSIVE member AS (
            SELECT p_title_id AS title_id
            UNION
            SELECT t.title_id FROM title t JOIN member m ON t.merged_into = m.title_id
            WHERE t.club_id = p_club_id
        )
        SELECT m.title_id FROM member m
    );
    UPDATE title t
    SET group_id = nullif(p_title_id, t.title_id),
        merged_into = CASE WHEN t.title_id = p_title_id THEN NULL ELSE t.merged_into END
    WHERE t.club_id = p_club_id AND t.title_id = ANY (members);
    PERFORM title_again(p_club_id, members);
    RETURN true;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.part_titles FROM PUBLIC;
