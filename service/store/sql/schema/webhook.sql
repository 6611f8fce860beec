-- Whom a club tells what is recorded, and how far its feed was dealt out to them. types NULL: every
-- entry; position: up to where the feed was looked through. Of the secret before the last, old_until
-- says how long calls are signed by it as well.
CREATE TABLE carnet.webhook (
    club_id    uuid        NOT NULL,
    webhook_id uuid        NOT NULL,
    url        text        NOT NULL CHECK (char_length(url) <= 2000),
    form       text        NOT NULL CHECK (form IN ('standard', 'discord', 'slack', 'ntfy')),
    events     text[]      NOT NULL CHECK (cardinality(events) > 0),
    types      text[],
    game_id    uuid,
    language   text        NOT NULL,
    site       text        NOT NULL,
    secret     bytea       NOT NULL CHECK (octet_length(secret) BETWEEN 24 AND 64),
    old_secret bytea,
    old_until  timestamptz,
    state      text        NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'off', 'failed', 'gone')),
    position   bigint      NOT NULL CHECK (position >= 0),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, webhook_id)
);
