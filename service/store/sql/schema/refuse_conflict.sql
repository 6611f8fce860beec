-- Refuses with the version the game stands at: the writer looked at another one.
CREATE FUNCTION carnet.refuse_conflict(current_version integer, expected_version integer)
    RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = 'YC001',
        MESSAGE = format('the game is at version %s, not %s', current_version, expected_version),
        DETAIL = jsonb_build_object('version', current_version)::text;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_conflict FROM PUBLIC;
