-- Projection: the points of every ended deal, and the entry (version) that ended it. Rebuildable.
CREATE TABLE carnet.deal_score (
    club_id uuid        NOT NULL,
    game_id uuid        NOT NULL,
    deal    integer     NOT NULL CHECK (deal > 0),
    version integer     NOT NULL CHECK (version > 0),
    points  integer[]   NOT NULL,
    detail  jsonb       NOT NULL,
    at      timestamptz NOT NULL,
    PRIMARY KEY (club_id, game_id, deal)
);
