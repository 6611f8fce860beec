-- The clubs beside the first one, which needs no row: without one it has the id that every
-- installation begins with. is_first: a database that an export of another club made, where that
-- club is the first. Limits are for the whole club; NULL: there is none.
-- sample_of: the club whose sample games these are; such a club is in no backup.
CREATE TABLE carnet.club (
    club_id           uuid        PRIMARY KEY,
    is_first          boolean     NOT NULL DEFAULT false,
    sample_of         uuid,
    name              text        NOT NULL DEFAULT '' CHECK (length(name) <= 100),
    made_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    suspended_at      timestamptz,
    games_max         bigint      CHECK (games_max >= 0),
    entries_a_day_max bigint      CHECK (entries_a_day_max >= 0),
    people_max        bigint      CHECK (people_max >= 0),
    bytes_max         bigint      CHECK (bytes_max >= 0)
);
