-- Refuses a change of any column but those named as the trigger's arguments. Privileges on columns
-- would say the same, but a distributed database does not carry them to its shards.
CREATE FUNCTION carnet.refuse_other_columns() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    IF to_jsonb(new) - TG_ARGV IS DISTINCT FROM to_jsonb(old) - TG_ARGV THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('UPDATE on %I refused: only %s can change',
                             TG_TABLE_NAME, array_to_string(TG_ARGV, ', '));
    END IF;
    RETURN new;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_other_columns FROM PUBLIC;
