-- People. Their names stand here and nowhere else: a name of NULL is a person who was forgotten.
CREATE TABLE carnet.player (
    club_id    uuid        NOT NULL,
    player_id  uuid        NOT NULL,
    name       text        CHECK (name <> ''),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, player_id)
);
