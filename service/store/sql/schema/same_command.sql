-- Tells whether a command is stored in a game with these entries (see write_entries), whatever the
-- salts of their texts: the same command sent again comes with others, and therefore with other
-- digests. A text that was erased since counts as the same: what it was cannot be known any more.
-- NULL: the command is not stored. Reads the whole game: commands have no index.
CREATE FUNCTION carnet.same_command(
    p_club_id uuid, p_game_id uuid, p_command_id uuid, p_entries jsonb
) RETURNS boolean
    LANGUAGE plpgsql
AS $$
BEGIN
    RETURN (
        SELECT CASE WHEN count(*) > 0 THEN
            count(*) = jsonb_array_length(p_entries) AND bool_and(
                    e.type IS NOT DISTINCT FROM given.entry ->> 'type'
                AND e.schema_version IS NOT DISTINCT FROM (given.entry ->> 'schema_version')::smallint
                AND undigested.stored IS NOT DISTINCT FROM undigested.given
                AND (beside.text IS NULL
                     OR beside.text IS NOT DISTINCT FROM decode(given.entry ->> 'text', 'base64'))
            )
        END
        FROM carnet.entry e
        CROSS JOIN LATERAL (SELECT p_entries -> e.ordinal::integer AS entry) AS given
        CROSS JOIN LATERAL (
            -- No string in JSON reads like a digest: its quotes would be escaped.
            SELECT regexp_replace(convert_from(e.data, 'UTF8'),
                                  '\{"sha256":"[0-9a-f]{64}"\}', '{}') AS stored,
                   regexp_replace(given.entry ->> 'data',
                                  '\{"sha256":"[0-9a-f]{64}"\}', '{}') AS given
        ) AS undigested
        CROSS JOIN LATERAL (
            SELECT (SELECT t.text FROM carnet.free_text t
                    WHERE t.club_id = e.club_id AND t.game_id = e.game_id AND t.version = e.version)
                   AS text
        ) AS beside
        WHERE e.club_id = p_club_id AND e.game_id = p_game_id AND e.command_id = p_command_id
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.same_command FROM PUBLIC;
