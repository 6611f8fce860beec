-- A value as it goes into a hash: its length in bytes (4, big-endian), then its bytes.
-- NULL is length -1, so that it differs from the empty value and no two rows read alike.
CREATE FUNCTION carnet.length_prefixed(value bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(int4send(octet_length(value)) || value, '\xffffffff'::bytea);

REVOKE EXECUTE ON FUNCTION carnet.length_prefixed FROM PUBLIC;
