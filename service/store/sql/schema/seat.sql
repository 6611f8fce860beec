-- Who sits where: recorded when a game starts, beside the log, which knows seats only.
-- This is a source, not a projection: it cannot be rebuilt from entries.
CREATE TABLE carnet.seat (
    club_id   uuid     NOT NULL,
    game_id   uuid     NOT NULL,
    seat      smallint NOT NULL CHECK (seat >= 0),
    player_id uuid     NOT NULL,
    PRIMARY KEY (club_id, game_id, seat),
    FOREIGN KEY (club_id, player_id) REFERENCES carnet.player
);
