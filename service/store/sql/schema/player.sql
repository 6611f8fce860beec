-- People. Their names are here and nowhere else: a name of NULL is a person who was forgotten.
CREATE TABLE carnet.player (
    club_id     uuid        NOT NULL,
    player_id   uuid        NOT NULL,
    name        text        CHECK (name <> ''),
    -- The name as names are compared (schemas/names.py), since lower() depends on the database.
    folded      text,
    -- Whether the name was another person's already and somebody confirmed that there are two.
    same_name   boolean     NOT NULL DEFAULT false,
    -- Whom this entry was merged into, and the entry at the end of such merges. NULL: not merged.
    merged_into uuid,
    person_id   uuid,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, player_id),
    CHECK ((name IS NULL) = (folded IS NULL)),
    CHECK ((merged_into IS NULL) = (person_id IS NULL)),
    CHECK (person_id <> player_id)
);
