-- Appends one entry without a free text to a running game, as append does with a command of that one
-- entry, for less: there is no JSON of commands and entries to unpack. Most commands are a tap.
--
--   p_version: the one the writer saw last; it has seen every entry up to it, none of this command
--   p_data:    the canonical JSON
--   p_summary: what people read of the game after the entry (see write_projection), without "start"
--              and "detached"; the scores of ended deals do not change
--
-- Answers as append does to a command that is stored. No row: nothing is stored (the game is held by
-- somebody, at another version, or goes on as another), and append decides.
CREATE FUNCTION carnet.append_entry(
    p_club_id uuid, p_game_id uuid, p_version integer, p_command_id uuid, p_recorded_by uuid,
    p_type text, p_schema_version smallint, p_data text, p_summary jsonb
)
    RETURNS TABLE (
        verdict text, version integer, recorded_at timestamptz, hashes bytea[], players uuid[],
        names text[], erased integer[]
    )
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    last_hash bytea;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM refuse_stale_view();
    IF NOT pg_try_advisory_xact_lock(game_key(p_club_id, p_game_id)) THEN
        RETURN;
    END IF;

    SELECT e.version, e.hash INTO version, last_hash
    FROM entry e
    WHERE e.club_id = p_club_id AND e.game_id = p_game_id
    ORDER BY e.version DESC LIMIT 1;
    IF version IS DISTINCT FROM p_version
       OR may_go_on(p_club_id, p_game_id, NULL, NULL) IS NOT NULL THEN
        RETURN;
    END IF;

    verdict := 'stored';
    version := version + 1;
    recorded_at := clock_timestamp();
    hashes := ARRAY[write_entry(p_club_id, p_game_id, version, last_hash, p_command_id, 0::smallint,
                                p_recorded_by, recorded_at, p_type, p_schema_version, p_data)];
    PERFORM write_projection(p_club_id, p_game_id, version, recorded_at, p_summary, NULL);
    SELECT s.players, s.names, s.erased INTO players, names, erased
    FROM seats_and_erasures(p_club_id, p_game_id) s;
    RETURN NEXT;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.append_entry FROM PUBLIC;
