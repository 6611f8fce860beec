-- Records who sits where, seat 0 first, from a summary's "start": {"players": [uuid, …]}, and adds
-- the people this game brings: {"newcomers": [{"id", "name", "folded", "same_name"}, …]}. They come
-- with the append or not at all. "title": the title of the game, if it has one, or "new_title": {"id",
-- "name", "folded", "options"}, which is added unless a title has this name. "place": where it was played.
-- "continues": the game that it goes on from, {"game_id", "version", "dealer"}, whose place and tags it takes.
--
-- Refuses: YC005 two of the players are one person. Assumes the lock of the groups.
CREATE FUNCTION carnet.take_seats(p_club_id uuid, p_game_id uuid, p_start jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    twice uuid;
BEGIN
    INSERT INTO player (club_id, player_id, name, folded, same_name)
    SELECT p_club_id, n.id, n.name, n.folded, n.same_name
    FROM jsonb_to_recordset(coalesce(p_start -> 'newcomers', '[]'))
        AS n (id uuid, name text, folded text, same_name boolean);

    INSERT INTO seat (club_id, game_id, seat, player_id)
    SELECT p_club_id, p_game_id, n - 1, player::uuid
    FROM jsonb_array_elements_text(p_start -> 'players') WITH ORDINALITY AS players (player, n);

    -- Two of them may have been merged since the writer looked.
    SELECT s.player_id INTO twice FROM seated s
    WHERE s.club_id = p_club_id AND s.game_id = p_game_id
    GROUP BY s.player_id HAVING count(*) > 1 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION USING
            ERRCODE = 'YC005',
            MESSAGE = 'two of the players are one person',
            DETAIL = jsonb_build_object('player_id', twice)::text;
    END IF;

    IF p_start ->> 'continues' IS NOT NULL THEN
        INSERT INTO continuation (club_id, game_id, continues, version, dealer)
        SELECT p_club_id, p_game_id, c.game_id, c.version, c.dealer
        FROM jsonb_to_record(p_start -> 'continues')
            AS c (game_id uuid, version integer, dealer smallint);

        INSERT INTO game_description (club_id, game_id, place, tags)
        SELECT d.club_id, p_game_id, d.place, d.tags FROM game_description d
        WHERE d.club_id = p_club_id AND d.game_id = (p_start -> 'continues' ->> 'game_id')::uuid;
    END IF;

    INSERT INTO game_title (club_id, game_id, title_id)
    SELECT p_club_id, p_game_id, (p_start ->> 'title')::uuid WHERE p_start ->> 'title' IS NOT NULL;

    IF p_start ->> 'new_title' IS NOT NULL THEN
        INSERT INTO title (club_id, title_id, name, folded, options)
        SELECT p_club_id, t.id, t.name, t.folded, t.options
        FROM jsonb_to_record(p_start -> 'new_title')
            AS t (id uuid, name text, folded text, options jsonb)
        -- Locks a title that is here, so that nobody renames it before the game has it.
        ON CONFLICT (club_id, folded) DO UPDATE SET folded = excluded.folded;

        INSERT INTO game_title (club_id, game_id, title_id)
        SELECT p_club_id, p_game_id, title_id FROM title
        WHERE club_id = p_club_id AND folded = p_start -> 'new_title' ->> 'folded';
    END IF;

    INSERT INTO game_description (club_id, game_id, place, tags)
    SELECT p_club_id, p_game_id, p_start ->> 'place', '{}' WHERE p_start ->> 'place' <> '';
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.take_seats FROM PUBLIC;
