-- Takes some deliveries that are due, for whoever calls, for p_seconds: if they say nothing by then, the
-- next one who calls takes them again. Of the entries of a game only the first that was not taken in
-- is due, so that a receiver is told each game in order. Whoever is at it already is not waited for.
-- p_heads: whether the caller knows how to hand on a signed head.
CREATE FUNCTION carnet.claim_deliveries(
    p_club_id uuid, p_most integer, p_seconds double precision, p_heads boolean DEFAULT false
)
    RETURNS TABLE (
        webhook_id uuid, place bigint, game_id uuid, version integer, type text,
        attempts integer, by_hand boolean, url text, form text, events text[], language text,
        site text, secret bytea, old_secret bytea, note text, created_at timestamptz
    )
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    due record;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    FOR due IN
        SELECT d.webhook_id AS hook_id, d.position AS at_place, d.game_id AS of_game,
               d.version AS of_version, d.type AS of_type, d.attempts AS tried, d.by_hand AS asked,
               w.url AS to_url, w.form AS in_form, w.events AS for_events, w.language AS lang,
               w.site AS from_site, w.secret AS key, d.note AS head, d.created_at AS made_at,
               CASE WHEN w.old_until > now() THEN w.old_secret END AS old_key
        FROM webhook_delivery d
        JOIN webhook w ON w.club_id = d.club_id AND w.webhook_id = d.webhook_id
        WHERE d.club_id = p_club_id AND d.next_at <= now() AND (w.state = 'on' OR d.by_hand)
          AND (p_heads OR d.note IS NULL)
          AND (d.by_hand OR NOT EXISTS (
              SELECT FROM webhook_delivery b
              WHERE b.club_id = p_club_id AND b.webhook_id = d.webhook_id AND b.game_id = d.game_id
                AND b.position < d.position AND b.next_at IS NOT NULL AND NOT b.by_hand
          ))
        ORDER BY d.next_at, d.position LIMIT p_most
        FOR UPDATE OF d SKIP LOCKED
    LOOP
        UPDATE webhook_delivery d
        SET next_at = now() + make_interval(secs => p_seconds), attempts = d.attempts + 1,
            status = NULL, error = NULL
        WHERE d.club_id = p_club_id AND d.webhook_id = due.hook_id AND d.position = due.at_place;
        webhook_id := due.hook_id; place := due.at_place; game_id := due.of_game;
        version := due.of_version; type := due.of_type; attempts := due.tried + 1;
        by_hand := due.asked; url := due.to_url; form := due.in_form; events := due.for_events;
        language := due.lang; site := due.from_site; secret := due.key; old_secret := due.old_key;
        note := due.head; created_at := due.made_at;
        RETURN NEXT;
    END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.claim_deliveries FROM PUBLIC;
