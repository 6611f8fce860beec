-- Which title a game was started with: recorded when it starts, beside the log, like who sits where.
-- This is a source, not a projection: it cannot be rebuilt from entries.
CREATE TABLE carnet.game_title (
    club_id  uuid NOT NULL,
    game_id  uuid NOT NULL,
    title_id uuid NOT NULL,
    PRIMARY KEY (club_id, game_id),
    FOREIGN KEY (club_id, title_id) REFERENCES carnet.title
);
