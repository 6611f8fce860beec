-- Refuses a call for another club than the session, or the transaction, said to be of
-- (carnet.club_id). One that said none is of the club of the call. For functions that run as the
-- owner, whom no policy binds.
--
-- Refuses: insufficient_privilege
CREATE FUNCTION carnet.refuse_other_club(p_club_id uuid) RETURNS void
    LANGUAGE plpgsql STABLE
AS $$
BEGIN
    IF coalesce(current_setting('carnet.club_id', true), '') NOT IN ('', p_club_id::text) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'a call for another club than the session''s';
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_other_club FROM PUBLIC;
