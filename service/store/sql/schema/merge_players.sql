-- Makes two entries of people one person: whatever people read of the first one's games says the
-- second. The log and who was seated in it stay. p_restoring: entries of an export, where a person
-- may be forgotten; then whoever is merged with them is forgotten too.
--
-- Answers 'merged' (also where that was so before), 'unknown' (one of them is not there, or was
-- forgotten), 'same-game' (p_into and p_player_id sat in one game, which is returned too), 'merged-already'
-- (the first is merged into somebody else), 'itself' (they are one person).
CREATE FUNCTION carnet.merge_players(
    p_club_id uuid, p_player_id uuid, p_into uuid, p_restoring boolean, OUT verdict text,
    OUT game_id uuid
)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    one     player;
    other   player;
    root    uuid;
    members uuid[];
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM lock_groups(p_club_id, true);
    SELECT * INTO one FROM player p WHERE p.club_id = p_club_id AND p.player_id = p_player_id;
    SELECT * INTO other FROM player p WHERE p.club_id = p_club_id AND p.player_id = p_into;
    root := coalesce(other.person_id, other.player_id);

    IF one.player_id IS NULL OR root IS NULL
       OR (one.name IS NULL OR other.name IS NULL) AND NOT p_restoring THEN
        verdict := 'unknown';
        RETURN;
    END IF;
    IF one.merged_into IS NOT NULL THEN
        verdict := CASE WHEN p_into IN (one.merged_into, one.person_id) THEN 'merged'
                        ELSE 'merged-already' END;
        RETURN;
    END IF;
    IF root = p_player_id THEN
        verdict := 'itself';
        RETURN;
    END IF;

    SELECT x.game_id INTO game_id
    FROM seated x
    JOIN seated y ON y.club_id = x.club_id AND y.game_id = x.game_id
    WHERE x.club_id = p_club_id AND x.player_id = p_player_id AND y.player_id = root
    LIMIT 1;
    IF FOUND THEN
        verdict := 'same-game';
        RETURN;
    END IF;

    members := ARRAY(
        SELECT p.player_id FROM player p
        WHERE p.club_id = p_club_id AND coalesce(p.person_id, p.player_id) = p_player_id
    );
    UPDATE player p
    SET person_id = root,
        merged_into = CASE WHEN p.player_id = p_player_id THEN p_into ELSE p.merged_into END
    WHERE p.club_id = p_club_id AND p.player_id = ANY (members);
    IF one.name IS NULL OR other.name IS NULL THEN
        PERFORM forget_player(p_club_id, root);
    END IF;
    PERFORM seat_again(p_club_id, members);
    verdict := 'merged';
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.merge_players FROM PUBLIC;
