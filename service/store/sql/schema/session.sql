-- Browsers that were let in. Only the hash of what a browser holds is stored.
CREATE TABLE carnet.session (
    club_id    uuid        NOT NULL,
    session_id uuid        NOT NULL,
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    name       text        NOT NULL CHECK (char_length(name) <= 100),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at   timestamptz,
    PRIMARY KEY (club_id, session_id),
    UNIQUE (club_id, token_hash)
);
