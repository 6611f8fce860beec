-- A text can be erased. It cannot be changed, nor can it vanish as if it had never been there.
CREATE FUNCTION carnet.refuse_all_but_erasing() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    -- A whole club is removed by the database's owner alone (service.store.club.changes).
    IF TG_OP = 'DELETE' AND to_jsonb(old) ->> 'club_id' = current_setting('carnet.club_removed', true)
    THEN
        RETURN old;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        IF new.text IS NULL
           AND (new.club_id, new.game_id, new.version) = (old.club_id, old.game_id, old.version)
        THEN
            RETURN new;
        END IF;
    END IF;
    RAISE EXCEPTION USING
        ERRCODE = 'YC004',
        MESSAGE = format('%s on %I refused: a text can be erased, nothing else', TG_OP, TG_TABLE_NAME);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_all_but_erasing FROM PUBLIC;
