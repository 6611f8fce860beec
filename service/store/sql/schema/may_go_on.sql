-- Tells whether a game may get entries, and go on from the one before it (p_before, at p_version; without
-- a version: no more). NULL: it may; else the verdict of append. Assumes the locks of both.
CREATE FUNCTION carnet.may_go_on(
    p_club_id uuid, p_game_id uuid, p_before uuid, p_version integer
) RETURNS text
    LANGUAGE plpgsql
AS $$
DECLARE
    one record;
BEGIN
    SELECT g.continued INTO one FROM carnet.game g
    WHERE g.club_id = p_club_id AND g.game_id = p_game_id;
    IF one.continued THEN
        RETURN 'continued';
    END IF;
    IF p_version IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT g.continued, g.status, g.set_aside, g.version INTO one FROM carnet.game g
    WHERE g.club_id = p_club_id AND g.game_id = p_before;
    RETURN CASE WHEN one.continued THEN 'continued'
                WHEN one.status IS DISTINCT FROM 'open' OR one.set_aside OR one.version <> p_version
                    THEN 'moved' END;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.may_go_on FROM PUBLIC;
