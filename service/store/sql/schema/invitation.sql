-- What makes a browser a member's: works once, until it expires. Only the hash of its token is stored.
CREATE TABLE carnet.invitation (
    club_id    uuid        NOT NULL,
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    member_id  uuid        NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    PRIMARY KEY (club_id, token_hash)
);
