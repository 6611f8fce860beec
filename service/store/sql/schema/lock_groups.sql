-- Locks a club's groups of merged people and titles until the transaction ends: alone, to change them,
-- or with others, to write what depends on who is whom. Taking the lock assigns no xid. It is taken
-- before the rows of games and people, so that two transactions never wait for each other.
CREATE FUNCTION carnet.lock_groups(p_club_id uuid, p_alone boolean) RETURNS void
    LANGUAGE plpgsql
AS $$
DECLARE
    -- Any seed that no game and no feed has; ASCII "grou".
    key bigint := uuid_hash_extended(p_club_id, 1735552885);
BEGIN
    IF p_alone THEN
        PERFORM pg_advisory_xact_lock(key);
    ELSE
        PERFORM pg_advisory_xact_lock_shared(key);
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.lock_groups FROM PUBLIC;
