-- Projection: one row a game, written in the transaction of its entries. Rebuildable.
-- No index holds a column that an append changes, and pages keep room: updates stay on their page.
CREATE TABLE carnet.game (
    club_id    uuid        NOT NULL,
    game_id    uuid        NOT NULL,
    ruleset    text        NOT NULL,
    -- What a game by points is called; NULL: the ruleset is its own title.
    title_id   uuid,
    options    jsonb       NOT NULL,
    seats      smallint    NOT NULL CHECK (seats > 0),
    players    uuid[]      NOT NULL,
    status     text        NOT NULL CHECK (status IN ('open', 'finished')),
    version    integer     NOT NULL CHECK (version > 0),
    deals      integer     NOT NULL CHECK (deals >= 0),
    -- Points per seat, and the place of each: 1 + the seats ahead, those level share one; NULL: not
    -- ranked. took_part: whether the game, once over, counts for the seat; false while it is open.
    totals     integer[]   NOT NULL,
    places     smallint[]  NOT NULL,
    took_part  boolean[]   NOT NULL,
    -- Whether the table set it aside: then it counts nowhere, and is told of only when asked for.
    set_aside  boolean     NOT NULL DEFAULT false,
    started_at timestamptz NOT NULL,
    -- What is known of when it was played: all; or only its start, its day (in UTC), or nothing.
    times      text        NOT NULL DEFAULT 'recorded'
        CHECK (times IN ('recorded', 'start', 'day', 'none')),
    last_at    timestamptz NOT NULL,
    -- The game that it goes on from, and the ended deals of the games before it. detached: that was
    -- undone, so that the other one goes on by itself.
    continues    uuid,
    deals_before integer   NOT NULL DEFAULT 0 CHECK (deals_before >= 0),
    detached     boolean   NOT NULL DEFAULT false,
    -- Whether it goes on as another game: then it counts nowhere, the other counts for both.
    continued    boolean   NOT NULL DEFAULT false,
    PRIMARY KEY (club_id, game_id)
) WITH (fillfactor = 70);
