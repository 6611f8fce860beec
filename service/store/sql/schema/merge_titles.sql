-- Makes two titles one: whatever people read of the first one's games says the second. Which title a
-- game was started with stays.
--
-- Answers 'merged' (also where that was so before), 'unknown' (one of them is not there, or was
-- forgotten), 'merged-already' (the first is merged into another one), 'itself' (they are one title).
-- p_restoring: as merge_players.
CREATE FUNCTION carnet.merge_titles(
    p_club_id uuid, p_title_id uuid, p_into uuid, p_restoring boolean
) RETURNS text
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    one     title;
    other   title;
    root    uuid;
    members uuid[];
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM lock_groups(p_club_id, true);
    SELECT * INTO one FROM title t WHERE t.club_id = p_club_id AND t.title_id = p_title_id;
    SELECT * INTO other FROM title t WHERE t.club_id = p_club_id AND t.title_id = p_into;
    root := coalesce(other.group_id, other.title_id);

    IF one.title_id IS NULL OR root IS NULL
       OR (one.name IS NULL OR other.name IS NULL) AND NOT p_restoring THEN
        RETURN 'unknown';
    END IF;
    IF one.merged_into IS NOT NULL THEN
        RETURN CASE WHEN p_into IN (one.merged_into, one.group_id) THEN 'merged'
                    ELSE 'merged-already' END;
    END IF;
    IF root = p_title_id THEN
        RETURN 'itself';
    END IF;

    members := ARRAY(
        SELECT t.title_id FROM title t
        WHERE t.club_id = p_club_id AND coalesce(t.group_id, t.title_id) = p_title_id
    );
    UPDATE title t
    SET group_id = root,
        merged_into = CASE WHEN t.title_id = p_title_id THEN p_into ELSE t.merged_into END
    WHERE t.club_id = p_club_id AND t.title_id = ANY (members);
    IF one.name IS NULL OR other.name IS NULL THEN
        PERFORM forget_title(p_club_id, root);
    END IF;
    PERFORM title_again(p_club_id, members);
    RETURN 'merged';
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.merge_titles FROM PUBLIC;
