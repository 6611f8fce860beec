-- Titles: what games by points are called. A name is here and nowhere else; NULL: it was forgotten.
CREATE TABLE carnet.title (
    club_id     uuid        NOT NULL,
    title_id    uuid        NOT NULL,
    name        text        CHECK (name <> ''),
    -- The name as names are compared (schemas/names.py).
    folded      text,
    -- The options of new games, where they differ from the ruleset's defaults.
    options     jsonb       NOT NULL DEFAULT '{}',
    -- Whether it is left out where a new game is chosen.
    hidden      boolean     NOT NULL DEFAULT false,
    -- The title that this one was merged into, and the one at the end of such merges. NULL: not merged.
    merged_into uuid,
    group_id    uuid,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, title_id),
    CHECK ((name IS NULL) = (folded IS NULL)),
    CHECK ((merged_into IS NULL) = (group_id IS NULL)),
    CHECK (group_id <> title_id)
);
