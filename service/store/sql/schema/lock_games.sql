-- Holds the games of p_commands (see append), also those "before" them, until the transaction ends, those that somebody else
-- holds after a wait or, without p_wait, not at all; returns which are held. They are locked in one
-- order whoever asks, so that two who ask for several never wait for each other.
CREATE FUNCTION carnet.lock_games(p_club_id uuid, p_commands jsonb, p_wait boolean) RETURNS uuid[]
    LANGUAGE plpgsql
AS $$
DECLARE
    game record;
    held uuid[] := '{}';
BEGIN
    FOR game IN
        SELECT DISTINCT carnet.game_key(p_club_id, named.id) AS key, named.id
        FROM jsonb_to_recordset(p_commands) AS c (game_id uuid, before uuid)
        CROSS JOIN LATERAL (VALUES (c.game_id), (c.before)) AS named (id)
        WHERE named.id IS NOT NULL
        ORDER BY 1
    LOOP
        IF p_wait THEN
            PERFORM pg_advisory_xact_lock(game.key);
        ELSIF NOT pg_try_advisory_xact_lock(game.key) THEN
            CONTINUE;
        END IF;
        held := held || game.id;
    END LOOP;
    RETURN held;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.lock_games FROM PUBLIC;
