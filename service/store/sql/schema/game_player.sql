-- Projection: who played which game, with what lists of somebody's games are filtered and ordered
-- by. Written when a game starts and not touched by later appends. Rebuildable.
CREATE TABLE carnet.game_player (
    club_id    uuid        NOT NULL,
    game_id    uuid        NOT NULL,
    seat       smallint    NOT NULL CHECK (seat >= 0),
    player_id  uuid        NOT NULL,
    ruleset    text        NOT NULL,
    started_at timestamptz NOT NULL,
    PRIMARY KEY (club_id, game_id, seat)
);
