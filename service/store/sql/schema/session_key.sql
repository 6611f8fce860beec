-- What was opened in a browser, by the hash of each key or token: the session may do what they open
-- now, so that a right that ends takes nothing else with it.
CREATE TABLE carnet.session_key (
    club_id    uuid        NOT NULL,
    session_id uuid        NOT NULL,
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    opened_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, session_id, token_hash)
);
