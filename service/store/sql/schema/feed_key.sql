-- What a club's sequencer is locked by. Two clubs whose keys are alike only wait for each other.
CREATE FUNCTION carnet.feed_key(p_club_id uuid) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    -- Any seed that no game has; ASCII "feed".
    RETURN uuid_hash_extended(p_club_id, 1717921124);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.feed_key FROM PUBLIC;
