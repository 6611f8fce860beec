-- Notes that what standings see of a game has changed.
CREATE FUNCTION carnet.note_result_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    INSERT INTO result_change (club_id, started_at, game_id)
    VALUES (NEW.club_id, NEW.started_at, NEW.game_id)
    ON CONFLICT DO NOTHING;
    IF TG_OP = 'UPDATE' AND OLD.started_at <> NEW.started_at THEN
        INSERT INTO result_change (club_id, started_at, game_id)
        VALUES (OLD.club_id, OLD.started_at, OLD.game_id)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.note_result_change FROM PUBLIC;
