-- Writes one entry of a command, the p_ordinal-th (from 0), after the one whose hash is p_last_hash;
-- returns its hash. Assumes the game's lock. p_data: the canonical JSON.
CREATE FUNCTION carnet.write_entry(
    p_club_id uuid, p_game_id uuid, p_version integer, p_last_hash bytea, p_command_id uuid,
    p_ordinal smallint, p_recorded_by uuid, p_recorded_at timestamptz, p_type text,
    p_schema_version smallint, p_data text
) RETURNS bytea
    LANGUAGE plpgsql
AS $$
DECLARE
    bytes bytea := convert_to(p_data, 'UTF8');
    own   bytea := carnet.entry_hash(
        p_club_id, p_game_id, p_version, p_command_id, p_ordinal, p_type, p_schema_version,
        p_recorded_at, p_recorded_by, bytes, p_last_hash
    );
BEGIN
    INSERT INTO carnet.entry (club_id, game_id, version, ordinal, schema_version, command_id,
                              recorded_at, recorded_by, type, data, hash)
    VALUES (p_club_id, p_game_id, p_version, p_ordinal, p_schema_version, p_command_id,
            p_recorded_at, p_recorded_by, p_type, bytes, own);
    RETURN own;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_entry FROM PUBLIC;
