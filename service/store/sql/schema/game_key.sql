-- What a game is locked by. Two games whose keys are alike only wait for each other.
CREATE FUNCTION carnet.game_key(p_club_id uuid, p_game_id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN uuid_hash_extended(p_game_id, uuid_hash_extended(p_club_id, 0));

REVOKE EXECUTE ON FUNCTION carnet.game_key FROM PUBLIC;
