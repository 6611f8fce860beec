-- What standings were folded to, up to a game, as seen by a snapshot: only a head start. A row says
-- nothing any more once a game up to there changed, and may be deleted at any time.
CREATE TABLE carnet.standings_kept (
    club_id    uuid        NOT NULL,
    -- Which games were folded, by which code, on which server.
    fold       text        NOT NULL,
    games      integer     NOT NULL CHECK (games > 0),
    started_at timestamptz NOT NULL,
    game_id    uuid        NOT NULL,
    seen       pg_snapshot NOT NULL,
    state      bytea       NOT NULL,
    saved_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, fold, games)
);
