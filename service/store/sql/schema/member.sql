-- People of a club, by what they may do. Whoever is removed leaves no name. player_id: who they are
-- in the games, as they said.
CREATE TABLE carnet.member (
    club_id    uuid        NOT NULL,
    member_id  uuid        NOT NULL,
    name       text        NOT NULL CHECK (char_length(name) <= 100),
    role       text        NOT NULL CHECK (role IN ('owner', 'scorer', 'reader')),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    removed_at timestamptz,
    player_id  uuid,
    PRIMARY KEY (club_id, member_id)
);
