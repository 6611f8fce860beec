-- Records who sits where, seat 0 first, from a summary's "start": {"players": [uuid, …]}, and adds
-- the people this game brings: {"newcomers": [{"id", "name", "folded", "same_name"}, …]}. They come
-- with the append or not at all. "title": the title of the game, if it has one, or "new_title": {"id",
-- "name", "folded", "options"}, which is added unless a title has this name. "place": where it was played.
CREATE FUNCTION carnet.take_seats(p_club_id uuid, p_game_id uuid, p_start jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    INSERT INTO player (club_id, player_id, name, folded, same_name)
    SELECT p_club_id, n.id, n.name, n.folded, n.same_name
    FROM jsonb_to_recordset(coalesce(p_start -> 'newcomers', '[]'))
        AS n (id uuid, name text, folded text, same_name boolean);

    INSERT INTO seat (club_id, game_id, seat, player_id)
    SELECT p_club_id, p_game_id, n - 1, player::uuid
    FROM jsonb_array_elements_text(p_start -> 'players') WITH ORDINALITY AS players (player, n);

    INSERT INTO game_title (club_id, game_id, title_id)
    SELECT p_club_id, p_game_id, (p_start ->> 'title')::uuid WHERE p_start ->> 'title' IS NOT NULL;

    IF p_start ->> 'new_title' IS NOT NULL THEN
        INSERT INTO title (club_id, title_id, name, folded, options)
        SELECT p_club_id, t.id, t.name, t.folded, t.options
        FROM jsonb_to_record(p_start -> 'new_title')
            AS t (id uuid, name text, folded text, options jsonb)
        ON CONFLICT (club_id, folded) DO NOTHING;

        INSERT INTO game_title (club_id, game_id, title_id)
        SELECT p_club_id, p_game_id, title_id FROM title
        WHERE club_id = p_club_id AND folded = p_start -> 'new_title' ->> 'folded';
    END IF;

    INSERT INTO game_description (club_id, game_id, place, tags)
    SELECT p_club_id, p_game_id, p_start ->> 'place', '{}' WHERE p_start ->> 'place' <> '';
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.take_seats FROM PUBLIC;
