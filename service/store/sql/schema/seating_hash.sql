-- What the first entry's hash covers in the place of an entry before it: who sits where. SHA-256 over
-- the players' ids (p_players: a JSON array, seat 0 first), each with its length before it, and, of a
-- game that goes on from another, over that one's id and version.
-- service/store/log/chain.py computes the same.
CREATE FUNCTION carnet.seating_hash(
    p_players jsonb, p_continues uuid DEFAULT NULL, p_version integer DEFAULT NULL
) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    RETURN sha256(coalesce((
        SELECT string_agg('\x00000010'::bytea || uuid_send(player::uuid), ''::bytea ORDER BY n)
        FROM jsonb_array_elements_text(p_players) WITH ORDINALITY AS players (player, n)
    ), ''::bytea) || coalesce(
        '\x00000014'::bytea || uuid_send(p_continues) || int4send(p_version), ''::bytea
    ));
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.seating_hash FROM PUBLIC;
