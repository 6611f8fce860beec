-- The hash of an entry: SHA-256 over every stored column but position, xid and the hash itself,
-- in the order of the table. service/store/chain.py computes the same.
-- PL/pgSQL because convert_to() is only STABLE (it depends on the database's encoding, which is
-- UTF-8 here and cannot change), so that an SQL function could not be inlined and ran 4 times slower.
CREATE FUNCTION carnet.entry_hash(
    club_id uuid, game_id uuid, version integer, command_id uuid, ordinal smallint,
    type text, schema_version smallint, recorded_at timestamptz, recorded_by uuid,
    data bytea, prev_hash bytea
) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    RETURN sha256(
           carnet.length_prefixed(uuid_send(club_id))
        || carnet.length_prefixed(uuid_send(game_id))
        || carnet.length_prefixed(int4send(version))
        || carnet.length_prefixed(uuid_send(command_id))
        || carnet.length_prefixed(int2send(ordinal))
        || carnet.length_prefixed(convert_to(type, 'UTF8'))
        || carnet.length_prefixed(int2send(schema_version))
        || carnet.length_prefixed(timestamptz_send(recorded_at))
        || carnet.length_prefixed(uuid_send(recorded_by))
        || carnet.length_prefixed(data)
        || carnet.length_prefixed(prev_hash)
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.entry_hash FROM PUBLIC;
