-- Makes two entries of people one person: whatever people read of the first one's games says the
-- second. The log and who was seated in it stay.
--
-- Answers 'merged' (also where that was so before), 'unknown' (one of them is not there, or was
-- forgotten), 'same-game' (p_into and p_player_id sat in one game, which is returned too), 'merged-already'
-- (the first is merged into somebody else), 'itself' (they are one person).
CREATE FUNCTION carnet.merge_players(
    p_club_id uuid, p_player_id uuid, p_into uuid, OUT verdict text, OUT game_id uuid
)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    one     player;
    other   player;
    members uuid[];
BEGIN
    PERFORM refuse_other_club(p_club_id);
    -- Waits for games that start with one of them, and lets none start meanwhile.
    PERFORM FROM player p
    WHERE p.club_id = p_club_id AND p.player_id IN (p_player_id, p_into)
    ORDER BY p.player_id FOR UPDATE;
    SELECT * INTO one FROM player p WHERE p.club_id = p_club_id AND p.player_id = p_player_id;
    SELECT * INTO other FROM player p WHERE p.club_id = p_club_id AND p.player_id = p_into;

    IF one.name IS NULL OR other.name IS NULL THEN
        verdict := 'unknown';
        RETURN;
    END IF;
    IF one.merged_into IS NOT NULL THEN
        verdict := CASE WHEN p_into IN (one.merged_into, one.person_id) THEN 'merged'
                        ELSE 'merged-already' END;
        RETURN;
    END IF;
    IF coalesce(other.person_id, p_into) = p_player_id THEN
        verdict := 'itself';
        RETURN;
    END IF;

    SELECT x.game_id INTO game_id
    FROM seated x
    JOIN seated y ON y.club_id = x.club_id AND y.game_id = x.game_id
    WHERE x.club_id = p_club_id AND x.player_id = p_player_id
      AND y.player_id = coalesce(other.person_id, p_into)
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
    SET person_id = coalesce(other.person_id, p_into),
        merged_into = CASE WHEN p.player_id = p_player_id THEN p_into ELSE p.merged_into END
    WHERE p.club_id = p_club_id AND p.player_id = ANY (members);
    PERFORM seat_again(p_club_id, members);
    verdict := 'merged';
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.merge_players FROM PUBLIC;
