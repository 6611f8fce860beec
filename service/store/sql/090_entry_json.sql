-- The log for people with psql.
CREATE VIEW carnet.entry_json AS
SELECT club_id, game_id, version, type, convert_from(data, 'UTF8')::jsonb AS data,
       recorded_at, recorded_by, command_id, ordinal, schema_version, hash
FROM carnet.entry;
