-- Names the server that holds a club. Snapshots and transactions are numbered by each server for
-- itself: they say nothing on another, where the club may have been moved or restored to.
CREATE FUNCTION carnet.server_of_club(p_club_id uuid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    RETURN (SELECT c.system_identifier::text FROM pg_control_system() c);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.server_of_club FROM PUBLIC;
