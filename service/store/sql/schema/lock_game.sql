-- Holds one game until the transaction ends. Taking the lock assigns no xid.
-- Two games whose keys hash alike only wait for each other.
CREATE FUNCTION carnet.lock_game(p_club_id uuid, p_game_id uuid) RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(
        uuid_hash_extended(p_game_id, uuid_hash_extended(p_club_id, 0))
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.lock_game FROM PUBLIC;
