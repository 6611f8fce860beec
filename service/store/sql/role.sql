-- The role the service works as: it may read, append and keep players and links, nothing else.
-- Roles belong to the whole server, hence IF NOT EXISTS and the race with another database's start.
-- Applied at every migration, where the migrating user may create roles.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'carnet_service') THEN
        CREATE ROLE carnet_service NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END
$$;

-- Since PostgreSQL 16 a role's maker may not act as it without this.
DO $$
DECLARE
    needed text := CASE WHEN current_setting('server_version_num')::integer >= 160000
                        THEN 'SET' ELSE 'MEMBER' END;
BEGIN
    IF NOT pg_has_role('carnet_service', needed) THEN
        EXECUTE 'GRANT carnet_service TO CURRENT_USER';
    END IF;
END
$$;
