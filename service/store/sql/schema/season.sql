-- Some days under a name, the first and the last one included.
CREATE TABLE carnet.season (
    club_id   uuid NOT NULL,
    season_id uuid NOT NULL,
    name      text NOT NULL CHECK (name <> ''),
    first_day date NOT NULL,
    last_day  date NOT NULL CHECK (last_day >= first_day),
    PRIMARY KEY (club_id, season_id)
);
