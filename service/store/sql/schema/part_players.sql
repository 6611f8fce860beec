-- Undoes a merge: the entry, and those that were merged into it, are a person of their own again.
-- False: it is not merged.
CREATE FUNCTION carnet.part_players(p_club_id uuid, p_player_id uuid) RETURNS boolean
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
    SELECT p.person_id INTO was FROM player p
    WHERE p.club_id = p_club_id AND p.player_id = p_player_id;
    IF was IS NULL THEN
        RETURN false;
    END IF;
    members := ARRAY(
        WITH RECURSIVE member AS (
            SELECT p_player_id AS player_id
            UNION
            SELECT p.player_id FROM player p JOIN member m ON p.merged_into = m.player_id
            WHERE p.club_id = p_club_id
        )
        SELECT m.player_id FROM member m
    );
    UPDATE player p
    SET person_id = nullif(p_player_id, p.player_id),
        merged_into = CASE WHEN p.player_id = p_player_id THEN NULL ELSE p.merged_into END
    WHERE p.club_id = p_club_id AND p.player_id = ANY (members);
    PERFORM seat_again(p_club_id, members);
    RETURN true;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.part_players FROM PUBLIC;
