-- Holds one game until the transaction ends. Taking the lock assigns no xid.
CREATE FUNCTION carnet.lock_game(p_club_id uuid, p_game_id uuid) RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(carnet.game_key(p_club_id, p_game_id));
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.lock_game FROM PUBLIC;
