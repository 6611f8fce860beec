-- Recomputes at the end of which merges each person and each title is, from the merges alone, and
-- removes the names of those that were merged with somebody forgotten. Returns how many rows changed;
-- none, unless they were changed by somebody else. Merges in a circle stay (`carnet audit`).
CREATE FUNCTION carnet.regroup(p_club_id uuid) RETURNS integer
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    people integer;
    titles integer;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM lock_groups(p_club_id, true);

    WITH RECURSIVE member AS (
        SELECT p.player_id, p.player_id AS root, p.name IS NULL AS forgotten FROM player p
        WHERE p.club_id = p_club_id AND p.merged_into IS NULL
        UNION ALL
        SELECT p.player_id, m.root, m.forgotten FROM player p JOIN member m ON p.merged_into = m.player_id
        WHERE p.club_id = p_club_id
    )
    UPDATE player p
    SET person_id = nullif(m.root, p.player_id),
        name = CASE WHEN NOT m.forgotten THEN p.name END,
        folded = CASE WHEN NOT m.forgotten THEN p.folded END,
        same_name = p.same_name AND NOT m.forgotten
    FROM member m
    WHERE p.club_id = p_club_id AND p.player_id = m.player_id
      AND (p.person_id IS DISTINCT FROM nullif(m.root, p.player_id)
           OR m.forgotten AND p.name IS NOT NULL);
    GET DIAGNOSTICS people = ROW_COUNT;

    WITH RECURSIVE member AS (
        SELECT t.title_id, t.title_id AS root, t.name IS NULL AS forgotten FROM title t
        WHERE t.club_id = p_club_id AND t.merged_into IS NULL
        UNION ALL
        SELECT t.title_id, m.root, m.forgotten FROM title t JOIN member m ON t.merged_into = m.title_id
        WHERE t.club_id = p_club_id
    )
    UPDATE title t
    SET group_id = nullif(m.root, t.title_id),
        name = CASE WHEN NOT m.forgotten THEN t.name END,
        folded = CASE WHEN NOT m.forgotten THEN t.folded END
    FROM member m
    WHERE t.club_id = p_club_id AND t.title_id = m.title_id
      AND (t.group_id IS DISTINCT FROM nullif(m.root, t.title_id)
           OR m.forgotten AND t.name IS NOT NULL);
    GET DIAGNOSTICS titles = ROW_COUNT;
    RETURN people + titles;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.regroup FROM PUBLIC;
