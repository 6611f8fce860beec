-- The hash of an entry: SHA-256 over the hash of the entry before it and every stored column but
-- xid and the hash itself, each with its length before it: club_id, game_id, version,
-- command_id, ordinal, type, schema_version, recorded_at, recorded_by, data, prev_hash. Lengths that
-- are always the same are written out. service/store/log/chain.py computes the same.
-- PL/pgSQL because convert_to() is only STABLE (it depends on the database's encoding, which is
-- UTF-8 here and cannot change), so that an SQL function could not be inlined and ran 4 times slower.
CREATE FUNCTION carnet.entry_hash(
    club_id uuid, game_id uuid, version integer, command_id uuid, ordinal smallint,
    type text, schema_version smallint, recorded_at timestamptz, recorded_by uuid,
    data bytea, prev_hash bytea
) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    word bytea := convert_to(type, 'UTF8');
BEGIN
    RETURN sha256(
           '\x00000010'::bytea || uuid_send(club_id)
        || '\x00000010'::bytea || uuid_send(game_id)
        || '\x00000004'::bytea || int4send(version)
        || '\x00000010'::bytea || uuid_send(command_id)
        || '\x00000002'::bytea || int2send(ordinal)
        || int4send(octet_length(word)) || word
        || '\x00000002'::bytea || int2send(schema_version)
        || '\x00000008'::bytea || timestamptz_send(recorded_at)
        || coalesce('\x00000010'::bytea || uuid_send(recorded_by), '\xffffffff'::bytea)
        || int4send(octet_length(data)) || data
        || int4send(octet_length(prev_hash)) || prev_hash
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.entry_hash FROM PUBLIC;
