-- When everything was last written out, and where to: what the page of backups tells.
CREATE TABLE carnet.backup (
    club_id uuid        NOT NULL,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    place   text        NOT NULL CHECK (place IN ('download', 'folder')),
    games   integer     NOT NULL CHECK (games >= 0),
    PRIMARY KEY (club_id, made_at)
);
