-- Titles: what games by points are called. A name is here and nowhere else; NULL: it was forgotten.
CREATE TABLE carnet.title (
    club_id    uuid        NOT NULL,
    title_id   uuid        NOT NULL,
    name       text        CHECK (name <> ''),
    -- The name as names are compared (schemas/names.py).
    folded     text,
    -- The options of new games, where they differ from the ruleset's defaults.
    options    jsonb       NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, title_id),
    CHECK ((name IS NULL) = (folded IS NULL))
);
