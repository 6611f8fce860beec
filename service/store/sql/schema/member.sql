-- People of a club, by what they may do. Whoever is removed leaves no name.
CREATE TABLE carnet.member (
    club_id    uuid        NOT NULL,
    member_id  uuid        NOT NULL,
    name       text        NOT NULL CHECK (char_length(name) <= 100),
    role       text        NOT NULL CHECK (role IN ('owner', 'scorer', 'reader')),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    removed_at timestamptz,
    PRIMARY KEY (club_id, member_id)
);
