-- Writes into a game's row, and into those of the games around it, what follows from the others of its
-- chain: a game that goes on from another began with it and counts its deals; a game that goes on as
-- another (and that was not undone) is `continued`. Writes only what changes, in whatever order a
-- rebuild comes by.
CREATE FUNCTION carnet.place_in_chain(p_club_id uuid, p_game_id uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    before uuid;
    after  uuid;
BEGIN
    SELECT c.continues INTO before FROM continuation c
    WHERE c.club_id = p_club_id AND c.game_id = p_game_id;
    IF before IS NOT NULL THEN
        UPDATE game g
        SET continues = before, deals_before = should.deals, started_at = should.started_at,
            times = should.times
        FROM (
            SELECT CASE WHEN o.detached THEN 0 ELSE coalesce(b.deals_before + b.deals, 0) END AS deals,
                   coalesce(b.started_at, o.started_at) AS started_at,
                   coalesce(b.times, o.times) AS times
            FROM game o
            LEFT JOIN game b ON b.club_id = p_club_id AND b.game_id = before
            WHERE o.club_id = p_club_id AND o.game_id = p_game_id
        ) should
        WHERE g.club_id = p_club_id AND g.game_id = p_game_id
          AND (g.continues, g.deals_before, g.started_at, g.times)
              IS DISTINCT FROM (before, should.deals, should.started_at, should.times);
        IF FOUND THEN
            PERFORM write_game_players(p_club_id, p_game_id);
        END IF;
        PERFORM note_continued(p_club_id, before);
    END IF;
    PERFORM note_continued(p_club_id, p_game_id);
    FOR after IN
        SELECT c.game_id FROM continuation c
        JOIN game g ON g.club_id = p_club_id AND g.game_id = c.game_id
        WHERE c.club_id = p_club_id AND c.continues = p_game_id
    LOOP
        PERFORM place_in_chain(p_club_id, after);
    END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.place_in_chain FROM PUBLIC;
