-- Which results changed, by which transaction: where standings are folded again from. A game is in
-- it by its place in the order of all games, and by the place it had before, if that was another.
-- A row whose transaction is to come is from another server's life (a dump) and says nothing.
CREATE TABLE carnet.result_change (
    club_id    uuid        NOT NULL,
    xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
    started_at timestamptz NOT NULL,
    game_id    uuid        NOT NULL,
    PRIMARY KEY (club_id, xid, started_at, game_id)
);
