-- Tells whether a stored command is the one that is given, whatever its salts: the same command
-- sent again comes with others, and therefore with other digests. A text that was erased since
-- counts as the same: what it was cannot be known any more.
CREATE FUNCTION carnet.same_but_for_salts(
    p_club_id uuid, p_game_id uuid, p_command_id uuid,
    p_types text[], p_schema_versions smallint[], p_data bytea[], p_texts bytea[]
) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    RETURN (
        SELECT count(*) = cardinality(p_data) AND bool_and(
                   e.type IS NOT DISTINCT FROM p_types[e.ordinal + 1]
               AND e.schema_version IS NOT DISTINCT FROM p_schema_versions[e.ordinal + 1]
               AND undigested.stored IS NOT DISTINCT FROM undigested.given
               AND (texts.stored IS NULL OR texts.stored IS NOT DISTINCT FROM p_texts[e.ordinal + 1])
               )
        FROM entry e
        CROSS JOIN LATERAL (
            -- No string in JSON reads like a digest: its quotes would be escaped.
            SELECT regexp_replace(convert_from(e.data, 'UTF8'),
                                  '\{"sha256":"[0-9a-f]{64}"\}', '{}') AS stored,
                   regexp_replace(convert_from(p_data[e.ordinal + 1], 'UTF8'),
                                  '\{"sha256":"[0-9a-f]{64}"\}', '{}') AS given
        ) AS undigested
        CROSS JOIN LATERAL (
            SELECT (SELECT t.text FROM free_text t
                    WHERE t.club_id = e.club_id AND t.game_id = e.game_id AND t.version = e.version)
                   AS stored
        ) AS texts
        WHERE e.club_id = p_club_id AND e.game_id = p_game_id AND e.command_id = p_command_id
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.same_but_for_salts FROM PUBLIC;
