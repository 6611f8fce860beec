-- The public halves of the keys that signed a club's heads, named as in C2SP's signed-note.
CREATE TABLE carnet.head_key (
    club_id uuid        NOT NULL,
    vkey    text        NOT NULL,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, vkey)
);
