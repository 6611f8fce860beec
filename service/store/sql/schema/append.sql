-- Appends the entries of one command to one game: all of them or none. Answers with what the writer
-- does not know: when they were recorded, their hashes, and of the game, read under its lock, the
-- players' names by seat and the versions whose text was erased. A command that was stored before
-- stores nothing (replayed): what it stored is read from the log.
--
--   p_expected_version: the version the writer saw last; 0 starts a game
--   p_types, p_schema_versions, p_data: one element an entry
--   p_texts, p_salts: the free text of each entry and the salt of its digest, NULL where an entry
--              has none; both NULL where none has
--   p_summary, p_deals: what people read of the game after these entries (see write_projection);
--              p_summary needs "start" when a game starts
--
-- Refuses: YC001 another version (DETAIL {"version": n}, 0 where there is no game)
--          YC002 the command is stored with other entries
--          YC003 the transaction cannot append; a game starts without "start"
-- The order of the steps is the promise: xid and position are taken under the lock, so that entries
-- of a game have them in the order of their versions.
CREATE FUNCTION carnet.append(
    p_club_id uuid, p_game_id uuid, p_expected_version integer, p_command_id uuid,
    p_recorded_by uuid, p_types text[], p_schema_versions smallint[], p_data bytea[],
    p_texts bytea[], p_salts bytea[], p_summary jsonb, p_deals jsonb
) RETURNS TABLE (
    replayed boolean, recorded_at timestamptz, hashes bytea[], names text[], erased integer[]
)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    last_version integer;
    last_hash    bytea;
    same_command boolean;
BEGIN
    PERFORM refuse_stale_view();
    PERFORM lock_game(p_club_id, p_game_id);

    SELECT e.version, e.hash INTO last_version, last_hash
    FROM entry e
    WHERE e.club_id = p_club_id AND e.game_id = p_game_id
    ORDER BY e.version DESC LIMIT 1;

    IF NOT FOUND THEN
        last_version := 0;
        last_hash := decode(repeat('00', 32), 'hex');
    END IF;

    SELECT array_agg(e.type ORDER BY e.ordinal) = p_types
       AND array_agg(e.schema_version ORDER BY e.ordinal) = p_schema_versions
       AND array_agg(e.data ORDER BY e.ordinal) = p_data
    INTO same_command
    FROM entry e
    WHERE e.club_id = p_club_id AND e.game_id = p_game_id AND e.command_id = p_command_id;

    IF same_command IS NOT NULL THEN
        IF NOT same_command AND p_texts IS NOT NULL THEN
            same_command := same_but_for_salts(
                p_club_id, p_game_id, p_command_id, p_types, p_schema_versions, p_data, p_texts
            );
        END IF;
        IF NOT same_command THEN
            RAISE EXCEPTION USING
                ERRCODE = 'YC002',
                MESSAGE = format('command %s is stored with other entries', p_command_id);
        END IF;
        replayed := true;
        RETURN NEXT;
        RETURN;
    END IF;

    IF last_version <> p_expected_version THEN
        PERFORM refuse_conflict(last_version, p_expected_version);
    END IF;

    replayed := false;
    recorded_at := clock_timestamp();
    hashes := '{}';
    FOR n IN 1 .. cardinality(p_data) LOOP
        hashes[n] := entry_hash(
            p_club_id, p_game_id, last_version + n, p_command_id, (n - 1)::smallint, p_types[n],
            p_schema_versions[n], recorded_at, p_recorded_by, p_data[n],
            CASE n WHEN 1 THEN last_hash ELSE hashes[n - 1] END
        );
    END LOOP;

    INSERT INTO entry AS e (club_id, game_id, version, command_id, ordinal, type, schema_version,
                            recorded_at, recorded_by, data, prev_hash, hash)
    SELECT p_club_id, p_game_id, last_version + n, p_command_id, n - 1, p_types[n],
           p_schema_versions[n], recorded_at, p_recorded_by, p_data[n],
           CASE n WHEN 1 THEN last_hash ELSE hashes[n - 1] END, hashes[n]
    FROM generate_series(1, cardinality(p_data)) AS n
    ORDER BY n;

    IF p_texts IS NOT NULL THEN
        INSERT INTO free_text (club_id, game_id, version, salt, text)
        SELECT p_club_id, p_game_id, last_version + n, p_salts[n], p_texts[n]
        FROM generate_series(1, cardinality(p_texts)) AS n
        WHERE p_texts[n] IS NOT NULL;
    END IF;

    IF last_version = 0 THEN
        PERFORM take_seats(p_club_id, p_game_id, p_summary -> 'start');
    END IF;
    PERFORM write_projection(
        p_club_id, p_game_id, last_version + cardinality(p_data), p_summary, p_deals
    );

    names := ARRAY(
        SELECT p.name
        FROM seat s JOIN player p ON p.club_id = s.club_id AND p.player_id = s.player_id
        WHERE s.club_id = p_club_id AND s.game_id = p_game_id
        ORDER BY s.seat
    );
    erased := ARRAY(
        SELECT t.version FROM free_text t
        WHERE t.club_id = p_club_id AND t.game_id = p_game_id AND t.text IS NULL
    );
    RETURN NEXT;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.append FROM PUBLIC;
