-- What a webhook is told, one call an entry, by the entry's place in the feed; a call to try it out, or
-- that hands it a signed head (note), has a number below 0 and no game. next_at NULL: nothing is to be sent any more; while somebody is
-- sending it, next_at is when it is taken that they died. by_hand: asked for, tried once, and nothing
-- waits for it.
CREATE TABLE carnet.webhook_delivery (
    club_id      uuid        NOT NULL,
    webhook_id   uuid        NOT NULL,
    position     bigint      NOT NULL,
    game_id      uuid,
    version      integer,
    type         text        NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts     integer     NOT NULL DEFAULT 0,
    by_hand      boolean     NOT NULL DEFAULT false,
    next_at      timestamptz,
    delivered_at timestamptz,
    status       integer,
    error        text,
    note         text,
    PRIMARY KEY (club_id, webhook_id, position)
);
