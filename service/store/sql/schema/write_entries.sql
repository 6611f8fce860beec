-- Writes the entries of a command into the log, after the entry p_version with the hash p_hash, and
-- their free texts beside it; returns the entries' hashes. Assumes the game's lock.
--   p_entries: [{"type", "schema_version", "data", "text", "salt"}, …]
--     data: the canonical JSON, as a string
--     text, salt: the free text and the salt of its digest, in base64; null where there is none
CREATE FUNCTION carnet.write_entries(
    p_club_id uuid, p_game_id uuid, p_version integer, p_hash bytea, p_command_id uuid,
    p_recorded_by uuid, p_recorded_at timestamptz, p_entries jsonb
) RETURNS bytea[]
    LANGUAGE plpgsql
AS $$
DECLARE
    given  record;
    n      integer := 0;
    last   bytea := p_hash;
    hashes bytea[] := '{}';
BEGIN
    FOR given IN
        SELECT * FROM jsonb_to_recordset(p_entries)
            AS e (type text, schema_version smallint, data text, text text, salt text)
    LOOP
        n := n + 1;
        last := carnet.write_entry(
            p_club_id, p_game_id, p_version + n, last, p_command_id, (n - 1)::smallint,
            p_recorded_by, p_recorded_at, given.type, given.schema_version, given.data
        );
        IF given.text IS NOT NULL THEN
            INSERT INTO carnet.free_text (club_id, game_id, version, salt, text)
            VALUES (p_club_id, p_game_id, p_version + n,
                    decode(given.salt, 'base64'), decode(given.text, 'base64'));
        END IF;
        hashes[n] := last;
    END LOOP;
    RETURN hashes;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_entries FROM PUBLIC;
