-- Writes what people read of a game. Assumes the game's lock and entries up to p_version, the last
-- of which was recorded at p_head_at.
--   p_summary: {"status", "deals", "totals", "places", "took_part", "set_aside"}; of a game that goes on from
--              another also "detached", whether that was undone; and, to write the whole row,
--              "start": {"ruleset", "options", "seats", "started_at", "times"}
--   p_deals:   the scores that changed, or NULL where no deal ended or was corrected
-- Times are the log's, players those who are seated, so that a rebuild writes the row that was there before:
-- "started_at" is the log's word of when a game began that was recorded elsewhere, or null. No game
-- began after it was recorded here; only the noon that stands for a day may be later.
CREATE FUNCTION carnet.write_projection(
    p_club_id uuid, p_game_id uuid, p_version integer, p_head_at timestamptz, p_summary jsonb,
    p_deals jsonb
) RETURNS void
    LANGUAGE plpgsql
AS $$
DECLARE
    the record;
BEGIN
    SELECT * INTO the
    FROM jsonb_to_record(p_summary)
        AS s(status text, deals integer, totals integer[], places smallint[], took_part boolean[], set_aside boolean,
             detached boolean, start jsonb);

    IF the.start IS NOT NULL THEN
        INSERT INTO carnet.game (club_id, game_id, ruleset, title_id, options, seats, players, status, version,
                          deals, totals, places, took_part, set_aside, detached, started_at, times, last_at)
        SELECT p_club_id, p_game_id, s.ruleset,
               (SELECT title_id FROM carnet.titled
                WHERE club_id = p_club_id AND game_id = p_game_id),
               s.options, s.seats,
               ARRAY(SELECT player_id FROM carnet.seated
                     WHERE club_id = p_club_id AND game_id = p_game_id ORDER BY seat),
               the.status, p_version, the.deals, the.totals, the.places, the.took_part,
               coalesce(the.set_aside, false), coalesce(the.detached, false),
               CASE WHEN s.times = 'day' THEN s.started_at
                    ELSE least(s.started_at, first.recorded_at) END,
               coalesce(s.times, 'recorded'), p_head_at
        FROM jsonb_to_record(the.start)
            AS s(ruleset text, options jsonb, seats smallint, started_at timestamptz,
                 times text)
        LEFT JOIN carnet.entry first
          ON first.club_id = p_club_id AND first.game_id = p_game_id AND first.version = 1
        ON CONFLICT (club_id, game_id) DO UPDATE
        SET ruleset = excluded.ruleset, title_id = excluded.title_id,
            options = excluded.options, seats = excluded.seats, players = excluded.players, status = excluded.status, version = excluded.version,
            deals = excluded.deals, totals = excluded.totals, places = excluded.places, took_part = excluded.took_part,
            set_aside = excluded.set_aside, detached = excluded.detached, started_at = excluded.started_at, times = excluded.times,
            last_at = excluded.last_at;
        PERFORM carnet.write_game_players(p_club_id, p_game_id);
    ELSE
        UPDATE carnet.game g
        SET status = the.status, version = p_version, deals = the.deals, totals = the.totals,
            places = the.places, took_part = the.took_part, set_aside = coalesce(the.set_aside, false),
            detached = coalesce(the.detached, false), last_at = p_head_at
        WHERE g.club_id = p_club_id AND g.game_id = p_game_id;

        IF NOT FOUND THEN
            RAISE EXCEPTION USING
                ERRCODE = 'YC003',
                MESSAGE = 'a summary without "start" needs the row of a game that started';
        END IF;
    END IF;

    IF the.start IS NOT NULL OR the.detached IS NOT NULL THEN
        PERFORM carnet.place_in_chain(p_club_id, p_game_id);
    END IF;

    IF p_deals IS NOT NULL THEN
        PERFORM carnet.write_deal_scores(p_club_id, p_game_id, the.deals, p_deals);
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_projection FROM PUBLIC;
