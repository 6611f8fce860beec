-- Tells whether a command is stored in a game with these entries (see write_entries), whatever the
-- salts of their texts: the same command sent again comes with others, and therefore with other
-- digests. A text that was erased since counts as the same: what it was cannot be known any more.
-- NULL: the command is not stored. Reads the whole game: commands have no index.
CREATE FUNCTION carnet.same_command(
    p_club_id uuid, p_game_id uuid, p_command_id uuid, p_entries jsonb
) RETURNS boolean
    LANGUAGE plpgsql
AS $$
DECLARE
    -- No string in JSON reads like a digest: its quotes would be escaped.
    digest CONSTANT text := '\{"sha256":"[0-9a-f]{64}"\}';
    stored record;
    given  jsonb;
    n      integer := 0;
BEGIN
    FOR stored IN
        SELECT e.ordinal, e.type, e.schema_version, e.data, t.text
        FROM carnet.entry e
        LEFT JOIN carnet.free_text t
          ON t.club_id = e.club_id AND t.game_id = e.game_id AND t.version = e.version
        WHERE e.club_id = p_club_id AND e.game_id = p_game_id AND e.command_id = p_command_id
    LOOP
        n := n + 1;
        given := p_entries -> stored.ordinal::integer;
        IF stored.type IS DISTINCT FROM given ->> 'type'
           OR stored.schema_version IS DISTINCT FROM (given ->> 'schema_version')::smallint
           OR regexp_replace(convert_from(stored.data, 'UTF8'), digest, '{}')
              IS DISTINCT FROM regexp_replace(given ->> 'data', digest, '{}')
           OR (stored.text IS NOT NULL
               AND stored.text IS DISTINCT FROM decode(given ->> 'text', 'base64'))
        THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN CASE WHEN n > 0 THEN n = jsonb_array_length(p_entries) END;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.same_command FROM PUBLIC;
