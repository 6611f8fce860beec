-- What the first entry's hash covers in the place of an entry before it: who sits where. SHA-256 over
-- the players' ids (p_players: a JSON array, seat 0 first), each with its length before it.
-- service/store/log/chain.py computes the same.
CREATE FUNCTION carnet.seating_hash(p_players jsonb) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    RETURN sha256(coalesce((
        SELECT string_agg('\x00000010'::bytea || uuid_send(player::uuid), ''::bytea ORDER BY n)
        FROM jsonb_array_elements_text(p_players) WITH ORDINALITY AS players (player, n)
    ), ''::bytea));
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.seating_hash FROM PUBLIC;
