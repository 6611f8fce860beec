-- How far a club's feed goes: the last position, and what was visible when it was given, on which
-- server. Only a head start: extend_feed finds what is not in the feed without it, too.
CREATE TABLE carnet.feed_mark (
    club_id  uuid        NOT NULL,
    position bigint      NOT NULL CHECK (position >= 0),
    seen     pg_snapshot NOT NULL,
    server   bigint      NOT NULL,
    PRIMARY KEY (club_id)
);
