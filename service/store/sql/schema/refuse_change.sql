-- What was recorded stays recorded: a correction is another entry.
CREATE FUNCTION carnet.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    -- A whole club is removed by the database's owner alone (service.store.club.changes).
    IF TG_OP = 'DELETE' AND to_jsonb(old) ->> 'club_id' = current_setting('carnet.club_removed', true)
    THEN
        RETURN old;
    END IF;
    RAISE EXCEPTION USING
        ERRCODE = 'YC004',
        MESSAGE = format('%s on %I refused: the log only grows', TG_OP, TG_TABLE_NAME);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_change FROM PUBLIC;
