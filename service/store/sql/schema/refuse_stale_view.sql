-- Refuses a transaction in which an append could not be right: one whose place in the order of
-- transactions was taken before the lock, or one that would not see what was committed since.
CREATE FUNCTION carnet.refuse_stale_view() RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'YC003',
            MESSAGE = 'append must be the first write of its transaction';
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'YC003',
            MESSAGE = format('append runs at READ COMMITTED, not at %s',
                             upper(current_setting('transaction_isolation')));
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_stale_view FROM PUBLIC;
