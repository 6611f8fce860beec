-- What people wrote in their own words: notes and reasons. It stands beside the log, and the entry
-- holds its digest, SHA-256 of salt and text. An erased text is a row whose text and salt are NULL:
-- nobody can read it, nor try out what it was, and the entry with its hash stays as it is.
-- Bytes, because text in PostgreSQL has no room for the sign U+0000, and JSON has.
CREATE TABLE carnet.free_text (
    club_id uuid    NOT NULL,
    game_id uuid    NOT NULL,
    version integer NOT NULL,
    salt    bytea   CHECK (octet_length(salt) >= 16),
    text    bytea   CHECK (octet_length(text) > 0),
    PRIMARY KEY (club_id, game_id, version),
    CHECK ((salt IS NULL) = (text IS NULL))
) WITH (
    -- One row that was erased is reason enough to clear up what it was.
    autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0
);
