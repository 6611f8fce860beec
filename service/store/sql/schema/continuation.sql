-- Which game goes on from which other one, at which of its versions: recorded when it starts, beside
-- the log, like who sits where, and hashed with the seats. dealer: the seat that deals first, if known.
-- This is a source, not a projection: it cannot be rebuilt from entries.
CREATE TABLE carnet.continuation (
    club_id   uuid     NOT NULL,
    game_id   uuid     NOT NULL,
    continues uuid     NOT NULL CHECK (continues <> game_id),
    version   integer  NOT NULL CHECK (version > 0),
    dealer    smallint CHECK (dealer >= 0),
    PRIMARY KEY (club_id, game_id)
);
