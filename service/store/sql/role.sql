-- The login that serves: it may read, append and keep players and links, nothing else, and can become
-- nobody else. What waits its sessions have stands with it, for a pooler sets nothing when one begins.
-- Roles belong to the whole server, hence IF NOT EXISTS and the races with another database's start.
-- Applied at every migration, where the migrating user may create roles.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'carnet_service') THEN
        CREATE ROLE carnet_service LOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END
$$;

DO $$
DECLARE
    wanted text[] := ARRAY['TimeZone=UTC', 'lock_timeout=10s', 'statement_timeout=20s'];
    found  pg_roles;
    one    text;
BEGIN
    SELECT * INTO found FROM pg_roles WHERE rolname = 'carnet_service';
    IF NOT found.rolcanlogin THEN
        ALTER ROLE carnet_service LOGIN;
    END IF;
    FOREACH one IN ARRAY wanted LOOP
        IF one <> ALL (coalesce(found.rolconfig, '{}')) THEN
            EXECUTE format('ALTER ROLE carnet_service SET %I = %L',
                           split_part(one, '=', 1), split_part(one, '=', 2));
        END IF;
    END LOOP;
EXCEPTION WHEN insufficient_privilege OR internal_error THEN
    -- Who made the role beforehand says what it is; a start of another database is at it as well.
    NULL;
END
$$;

-- Since PostgreSQL 16 a role's maker may not act as it without this. Needed only where the server
-- does not let the role in.
DO $$
DECLARE
    needed text := CASE WHEN current_setting('server_version_num')::integer >= 160000
                        THEN 'SET' ELSE 'MEMBER' END;
BEGIN
    IF NOT pg_has_role('carnet_service', needed) THEN
        EXECUTE 'GRANT carnet_service TO CURRENT_USER';
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;
