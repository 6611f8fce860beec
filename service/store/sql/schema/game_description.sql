-- What is said of a game beside its log: where it was played, and words to find it by. It is no
-- move, stands in no hash, may change, and means nothing for any score.
CREATE TABLE carnet.game_description (
    club_id uuid   NOT NULL,
    game_id uuid   NOT NULL,
    place   text   NOT NULL CHECK (length(place) <= 60),
    tags    text[] NOT NULL CHECK (cardinality(tags) <= 10),
    PRIMARY KEY (club_id, game_id)
);
