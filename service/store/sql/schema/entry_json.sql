-- The log for people with psql: data as it is hashed, and beside it the text whose digest it holds.
-- Whoever looks sees what they may see of the tables.
-- A text that holds U+0000 is not shown: text in PostgreSQL has no room for that sign.
CREATE VIEW carnet.entry_json WITH (security_invoker = true) AS
SELECT e.club_id, e.game_id, e.version, e.type, convert_from(e.data, 'UTF8')::jsonb AS data,
       e.recorded_at, e.recorded_by, e.command_id, e.ordinal, e.schema_version, e.hash,
       CASE WHEN position('\x00'::bytea IN t.text) = 0 THEN convert_from(t.text, 'UTF8') END
           AS text
FROM carnet.entry e
LEFT JOIN carnet.free_text t USING (club_id, game_id, version);
