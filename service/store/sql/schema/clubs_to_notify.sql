-- Names the clubs whose webhooks wait for something: the one thing that is asked of all clubs.
CREATE FUNCTION carnet.clubs_to_notify() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    RETURN QUERY SELECT DISTINCT w.club_id FROM webhook w WHERE w.state = 'on';
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.clubs_to_notify FROM PUBLIC;
