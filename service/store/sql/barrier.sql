-- Lets a session see and change the rows of its own club alone, whatever its SQL forgets to say.
-- Which club that is stands in carnet.club_id, of the session or of one transaction
-- (service.store.connection.club_session); a session that says none sees nothing. The tables' owner is not
-- bound by it. Every table with a club_id gets it but the list of the clubs, which is asked before
-- there is one, and but those that are spread over a cluster, whose nodes are told nothing of what
-- is set here. Applied at every migration, to what has it not.
DO $$
DECLARE
    spread oid[] := '{}';
    one    regclass;
BEGIN
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        EXECUTE 'SELECT coalesce(array_agg(logicalrelid::oid), ''{}'') FROM pg_dist_partition'
        INTO spread;
    END IF;
    FOR one IN
        SELECT c.oid
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'club_id' AND NOT a.attisdropped
        WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r' AND c.relname <> 'club'
          AND NOT c.relrowsecurity AND c.oid <> ALL (spread)
    LOOP
        EXECUTE format('DROP POLICY IF EXISTS of_session ON %s', one);
        EXECUTE format(
            'CREATE POLICY of_session ON %s'
            ' USING (club_id = nullif(current_setting(''carnet.club_id'', true), '''')::uuid)', one
        );
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', one);
    END LOOP;
END
$$;
