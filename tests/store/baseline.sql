-- Everything of Carnet's stands in one schema, so that a shared database stays tidy
-- and so that functions can pin their search_path to it.
CREATE SCHEMA carnet;

-- Which files this database was made from and brought to today by, and exactly which bytes.
-- older_goes_on: a version that does not know the file may work with what it made.
CREATE TABLE carnet.migration (
    name       text        PRIMARY KEY,
    digest     bytea       NOT NULL CHECK (octet_length(digest) = 32),
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    older_goes_on boolean  NOT NULL DEFAULT false
);

-- The hash of an entry: SHA-256 over the hash of the entry before it and every stored column but
-- position, xid and the hash itself, each with its length before it: club_id, game_id, version,
-- command_id, ordinal, type, schema_version, recorded_at, recorded_by, data, prev_hash. Lengths that
-- are always the same are written out. service/store/log/chain.py computes the same.
-- PL/pgSQL because convert_to() is only STABLE (it depends on the database's encoding, which is
-- UTF-8 here and cannot change), so that an SQL function could not be inlined and ran 4 times slower.
CREATE FUNCTION carnet.entry_hash(
    club_id uuid, game_id uuid, version integer, command_id uuid, ordinal smallint,
    type text, schema_version smallint, recorded_at timestamptz, recorded_by uuid,
    data bytea, prev_hash bytea
) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    word bytea := convert_to(type, 'UTF8');
BEGIN
    RETURN sha256(
           '\x00000010'::bytea || uuid_send(club_id)
        || '\x00000010'::bytea || uuid_send(game_id)
        || '\x00000004'::bytea || int4send(version)
        || '\x00000010'::bytea || uuid_send(command_id)
        || '\x00000002'::bytea || int2send(ordinal)
        || int4send(octet_length(word)) || word
        || '\x00000002'::bytea || int2send(schema_version)
        || '\x00000008'::bytea || timestamptz_send(recorded_at)
        || coalesce('\x00000010'::bytea || uuid_send(recorded_by), '\xffffffff'::bytea)
        || int4send(octet_length(data)) || data
        || int4send(octet_length(prev_hash)) || prev_hash
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.entry_hash FROM PUBLIC;

-- What the first entry's hash covers in the place of an entry before it: who sits where. SHA-256 over
-- the players' ids (p_players: a JSON array, seat 0 first), each with its length before it.
-- service/store/log/chain.py computes the same.
CREATE FUNCTION carnet.seating_hash(p_players jsonb) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    RETURN sha256(coalesce((
        SELECT string_agg('\x00000010'::bytea || uuid_send(player::uuid), ''::bytea ORDER BY n)
        FROM jsonb_array_elements_text(p_players) WITH ORDINALITY AS players (player, n)
    ), ''::bytea));
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.seating_hash FROM PUBLIC;

-- The log. A game is the entries of one (club_id, game_id), numbered from 1 without a gap; the hash
-- of each covers that of the one before it (the first: who sits where, seating_hash), which is stored
-- there alone.
-- A command is stored in a game once: append sees to it under the game's lock. The columns stand in
-- an order that leaves no gaps.
CREATE TABLE carnet.entry (
    club_id        uuid        NOT NULL,
    game_id        uuid        NOT NULL,
    version        integer     NOT NULL CHECK (version > 0),
    -- The n-th entry (from 0) of the command that wrote it.
    ordinal        smallint    NOT NULL CHECK (ordinal >= 0),
    schema_version smallint    NOT NULL CHECK (schema_version > 0),
    -- Private: an order of all entries, with gaps, and the transaction that wrote each.
    position       bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    xid            xid8        NOT NULL DEFAULT pg_current_xact_id(),
    command_id     uuid        NOT NULL,
    recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    recorded_by    uuid,
    type           text        NOT NULL,
    -- Canonical JSON in UTF-8: exactly the bytes that are hashed.
    data           bytea       NOT NULL,
    hash           bytea       NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (club_id, game_id, version)
);

-- What was recorded stays recorded: a correction is another entry.
CREATE FUNCTION carnet.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    -- A whole club is removed by the database's owner alone (service.store.club.changes).
    IF TG_OP = 'DELETE' AND to_jsonb(old) ->> 'club_id' = current_setting('carnet.club_removed', true)
    THEN
        RETURN old;
    END IF;
    RAISE EXCEPTION USING
        ERRCODE = 'YC004',
        MESSAGE = format('%s on %I refused: the log only grows', TG_OP, TG_TABLE_NAME);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_change FROM PUBLIC;

-- Per row, because on Citus statement triggers do not fire for a distributed DELETE.
CREATE TRIGGER entry_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.entry
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();

CREATE TRIGGER entry_keeps_all
    BEFORE TRUNCATE ON carnet.entry
    FOR EACH STATEMENT EXECUTE FUNCTION carnet.refuse_change();

-- Where the sequencer finds what was committed since it looked last (extend_feed).
CREATE INDEX entry_by_transaction ON carnet.entry (club_id, xid);

-- What people wrote in their own words: notes and reasons. It stands beside the log, and the entry
-- holds its digest, SHA-256 of salt and text. An erased text is a row whose text and salt are NULL:
-- nobody can read it, nor try out what it was, and the entry with its hash stays as it is.
-- Bytes, because text in PostgreSQL has no room for the sign U+0000, and JSON has.
CREATE TABLE carnet.free_text (
    club_id uuid    NOT NULL,
    game_id uuid    NOT NULL,
    version integer NOT NULL,
    salt    bytea   CHECK (octet_length(salt) >= 16),
    text    bytea   CHECK (octet_length(text) > 0),
    PRIMARY KEY (club_id, game_id, version),
    CHECK ((salt IS NULL) = (text IS NULL))
) WITH (
    -- One row that was erased is reason enough to clear up what it was.
    autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0
);

-- Finds what was erased of a game, for whoever has read it before.
CREATE INDEX free_text_erased ON carnet.free_text (club_id, game_id, version) WHERE text IS NULL;

-- A text can be erased. It cannot be changed, nor can it vanish as if it had never been there.
CREATE FUNCTION carnet.refuse_all_but_erasing() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    -- A whole club is removed by the database's owner alone (service.store.club.changes).
    IF TG_OP = 'DELETE' AND to_jsonb(old) ->> 'club_id' = current_setting('carnet.club_removed', true)
    THEN
        RETURN old;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        IF new.text IS NULL
           AND (new.club_id, new.game_id, new.version) = (old.club_id, old.game_id, old.version)
        THEN
            RETURN new;
        END IF;
    END IF;
    RAISE EXCEPTION USING
        ERRCODE = 'YC004',
        MESSAGE = format('%s on %I refused: a text can be erased, nothing else', TG_OP, TG_TABLE_NAME);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_all_but_erasing FROM PUBLIC;

CREATE TRIGGER free_text_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.free_text
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_all_but_erasing();

CREATE TRIGGER free_text_keeps_all
    BEFORE TRUNCATE ON carnet.free_text
    FOR EACH STATEMENT EXECUTE FUNCTION carnet.refuse_change();

-- The log for people with psql: data as it is hashed, and beside it the text whose digest it holds.
-- Whoever looks sees what they may see of the tables.
-- A text that holds U+0000 is not shown: text in PostgreSQL has no room for that sign.
CREATE VIEW carnet.entry_json WITH (security_invoker = true) AS
SELECT e.club_id, e.game_id, e.version, e.type, convert_from(e.data, 'UTF8')::jsonb AS data,
       e.recorded_at, e.recorded_by, e.command_id, e.ordinal, e.schema_version, e.hash,
       CASE WHEN position('\x00'::bytea IN t.text) = 0 THEN convert_from(t.text, 'UTF8') END
           AS text
FROM carnet.entry e
LEFT JOIN carnet.free_text t USING (club_id, game_id, version);

-- The clubs beside the first one, which needs no row: without one it has the id that every
-- installation begins with. is_first: a database that an export of another club made, where that
-- club is the first. Limits are for the whole club; NULL: there is none.
CREATE TABLE carnet.club (
    club_id           uuid        PRIMARY KEY,
    is_first          boolean     NOT NULL DEFAULT false,
    name              text        NOT NULL DEFAULT '' CHECK (length(name) <= 100),
    made_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    suspended_at      timestamptz,
    games_max         bigint      CHECK (games_max >= 0),
    entries_a_day_max bigint      CHECK (entries_a_day_max >= 0),
    people_max        bigint      CHECK (people_max >= 0),
    bytes_max         bigint      CHECK (bytes_max >= 0)
);

-- The order of all entries of a club: positions from 1 without a gap, given once and for all to what
-- is committed (extend_feed). hash is the entry's: an entry that is not what was numbered is named.
CREATE TABLE carnet.feed (
    club_id  uuid    NOT NULL,
    game_id  uuid    NOT NULL,
    position bigint  NOT NULL CHECK (position > 0),
    version  integer NOT NULL CHECK (version > 0),
    hash     bytea   NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (club_id, position),
    UNIQUE (club_id, game_id, version)
);

CREATE TRIGGER feed_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.feed
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();

CREATE TRIGGER feed_keeps_all
    BEFORE TRUNCATE ON carnet.feed
    FOR EACH STATEMENT EXECUTE FUNCTION carnet.refuse_change();

-- How far a club's feed goes: the last position, and what was visible when it was given, on which
-- server. Only a head start: extend_feed finds what is not in the feed without it, too.
CREATE TABLE carnet.feed_mark (
    club_id  uuid        NOT NULL,
    position bigint      NOT NULL CHECK (position >= 0),
    seen     pg_snapshot NOT NULL,
    server   bigint      NOT NULL,
    PRIMARY KEY (club_id)
);

-- Where entries stood in the feed they were exported from, until the import that brings them has
-- ended: then they stand there again, if they are all there and nothing else is.
CREATE TABLE carnet.feed_given (
    club_id  uuid    NOT NULL,
    game_id  uuid    NOT NULL,
    position bigint  NOT NULL CHECK (position > 0),
    version  integer NOT NULL CHECK (version > 0),
    PRIMARY KEY (club_id, position)
);

-- The Merkle tree over a club's feed (RFC 9162): the root of every full tile of 256 leaves, from 0.
-- Computed from the feed, and kept so that a root need not read all of it.
CREATE TABLE carnet.feed_tile (
    club_id uuid   NOT NULL,
    tile    bigint NOT NULL CHECK (tile >= 0),
    hash    bytea  NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (club_id, tile)
);

CREATE TRIGGER feed_tile_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.feed_tile
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();

-- The signed heads of a club's feed: what its first entries came to, each as a note (C2SP
-- tlog-checkpoint). What was signed stays signed: verify holds the feed to each.
CREATE TABLE carnet.head (
    club_id   uuid        NOT NULL,
    size      bigint      NOT NULL CHECK (size >= 0),
    note      text        NOT NULL,
    signed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, size, signed_at)
);

CREATE TRIGGER head_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.head
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();

-- The public halves of the keys that signed a club's heads, named as in C2SP's signed-note.
CREATE TABLE carnet.head_key (
    club_id uuid        NOT NULL,
    vkey    text        NOT NULL,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, vkey)
);

CREATE TRIGGER head_key_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.head_key
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();

-- Whom a club tells what is recorded, and how far its feed was dealt out to them. types NULL: every
-- entry; position: up to where the feed was looked through. Of the secret before the last, old_until
-- says how long calls are signed by it as well.
CREATE TABLE carnet.webhook (
    club_id    uuid        NOT NULL,
    webhook_id uuid        NOT NULL,
    url        text        NOT NULL CHECK (char_length(url) <= 2000),
    form       text        NOT NULL CHECK (form IN ('standard', 'discord', 'slack', 'ntfy')),
    events     text[]      NOT NULL CHECK (cardinality(events) > 0),
    types      text[],
    game_id    uuid,
    language   text        NOT NULL,
    site       text        NOT NULL,
    secret     bytea       NOT NULL CHECK (octet_length(secret) BETWEEN 24 AND 64),
    old_secret bytea,
    old_until  timestamptz,
    state      text        NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'off', 'failed', 'gone')),
    position   bigint      NOT NULL CHECK (position >= 0),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, webhook_id)
);

-- What a webhook is told, one call an entry, by the entry's place in the feed; a call to try it out, or
-- that hands it a signed head (note), has a number below 0 and no game. next_at NULL: nothing is to be sent any more; while somebody is
-- sending it, next_at is when it is taken that they died. by_hand: asked for, tried once, and nothing
-- waits for it.
CREATE TABLE carnet.webhook_delivery (
    club_id      uuid        NOT NULL,
    webhook_id   uuid        NOT NULL,
    position     bigint      NOT NULL,
    game_id      uuid,
    version      integer,
    type         text        NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts     integer     NOT NULL DEFAULT 0,
    by_hand      boolean     NOT NULL DEFAULT false,
    next_at      timestamptz,
    delivered_at timestamptz,
    status       integer,
    error        text,
    note         text,
    PRIMARY KEY (club_id, webhook_id, position)
);

-- What is to be sent, and what waits for an earlier entry of its game.
CREATE INDEX webhook_delivery_due
    ON carnet.webhook_delivery (club_id, webhook_id, game_id, position)
    WHERE next_at IS NOT NULL;

-- Refuses a change of any column but those named as the trigger's arguments. Privileges on columns
-- would say the same, but a distributed database does not carry them to its shards.
CREATE FUNCTION carnet.refuse_other_columns() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    IF to_jsonb(new) - TG_ARGV IS DISTINCT FROM to_jsonb(old) - TG_ARGV THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('UPDATE on %I refused: only %s can change',
                             TG_TABLE_NAME, array_to_string(TG_ARGV, ', '));
    END IF;
    RETURN new;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_other_columns FROM PUBLIC;

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

-- Nobody gets the name of somebody else by accident, also where two requests arrive at once.
CREATE UNIQUE INDEX player_by_name ON carnet.player (club_id, folded) WHERE NOT same_name;

-- A person is renamed, merged or forgotten; who they are and since when stays.
CREATE TRIGGER player_keeps_columns
    BEFORE UPDATE ON carnet.player
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns(
        'name', 'folded', 'same_name', 'merged_into', 'person_id'
    );

-- Who sits where: recorded when a game starts, beside the log, which knows seats only.
-- This is a source, not a projection: it cannot be rebuilt from entries.
CREATE TABLE carnet.seat (
    club_id   uuid     NOT NULL,
    game_id   uuid     NOT NULL,
    seat      smallint NOT NULL CHECK (seat >= 0),
    player_id uuid     NOT NULL,
    PRIMARY KEY (club_id, game_id, seat),
    FOREIGN KEY (club_id, player_id) REFERENCES carnet.player
);

CREATE INDEX seat_by_player ON carnet.seat (club_id, player_id, game_id);

-- Who sits where, as everything that people read says it: where an entry of a person was merged
-- into another, the other. Only the hash of a game's first entry is made of carnet.seat itself.
CREATE VIEW carnet.seated WITH (security_invoker = true) AS
SELECT s.club_id, s.game_id, s.seat, p.player_id, p.name
FROM carnet.seat s
JOIN carnet.player e ON e.club_id = s.club_id AND e.player_id = s.player_id
JOIN carnet.player p ON p.club_id = s.club_id AND p.player_id = coalesce(e.person_id, e.player_id);

-- Whatever lets somebody in, by its kind: the owner's key, a link to a game, the invitation of a member's
-- device, a program's token, a browser's session. Of a secret the hash is stored; of a link that anybody
-- may open (role public) the secret too, so that its address can be shown again.
--   games: those it reaches, none: the club; until: a public link shows the game up to that version;
--   opened: the hashes of what was opened in a session, which may do what they open now.
CREATE TABLE carnet.access_grant (
    club_id     uuid        NOT NULL,
    grant_id    uuid        NOT NULL,
    kind        text        NOT NULL,
    secret_hash bytea       NOT NULL CHECK (octet_length(secret_hash) = 32),
    secret      text        CHECK (secret IS NULL OR (role = 'public' AND secret <> '') IS TRUE),
    role        text,
    games       uuid[]      NOT NULL DEFAULT '{}',
    until       integer     CHECK (until >= 1),
    sites       text[]      NOT NULL DEFAULT '{}',
    member_id   uuid,
    opened      bytea[]     NOT NULL DEFAULT '{}',
    name        text        NOT NULL DEFAULT '' CHECK (char_length(name) <= 100),
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at  timestamptz,
    seen_at     timestamptz,
    used_at     timestamptz,
    revoked_at  timestamptz,
    PRIMARY KEY (club_id, grant_id),
    UNIQUE (club_id, secret_hash),
    CONSTRAINT access_grant_of_its_kind CHECK (
        (CASE kind
            WHEN 'owner_key' THEN role = 'owner' AND cardinality(games) = 0
            WHEN 'link' THEN role IN ('scorer', 'viewer', 'public') AND cardinality(games) = 1
            WHEN 'invitation' THEN role IS NULL AND member_id IS NOT NULL AND expires_at IS NOT NULL
            WHEN 'token' THEN role IN ('scorer', 'reader') OR role = 'owner' AND cardinality(games) = 0
            WHEN 'session' THEN role IS NULL AND cardinality(games) = 0 AND seen_at IS NOT NULL
        END) IS TRUE
    )
);

CREATE INDEX access_grant_by_game ON carnet.access_grant (club_id, (games[1])) WHERE kind = 'link';

-- A club has one key of its owner.
CREATE UNIQUE INDEX access_grant_owner_key ON carnet.access_grant (club_id)
    WHERE kind = 'owner_key' AND revoked_at IS NULL;

-- A grant is renamed, used, seen and revoked; what it opens, for whom and how long never changes.
CREATE TRIGGER access_grant_keeps_columns
    BEFORE UPDATE ON carnet.access_grant
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('name', 'seen_at', 'used_at', 'revoked_at');

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

-- A member is renamed, given another role and removed; who they are stays.
CREATE TRIGGER member_keeps_columns
    BEFORE UPDATE ON carnet.member
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('name', 'role', 'removed_at');

-- When everything was last written out, and where to: what the page of backups tells.
CREATE TABLE carnet.backup (
    club_id uuid        NOT NULL,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    place   text        NOT NULL CHECK (place IN ('download', 'folder')),
    games   integer     NOT NULL CHECK (games >= 0),
    PRIMARY KEY (club_id, made_at)
);

-- Projection: one row a game, written in the transaction of its entries. Rebuildable.
-- No index holds a column that an append changes, and pages keep room: updates stay on their page.
CREATE TABLE carnet.game (
    club_id    uuid        NOT NULL,
    game_id    uuid        NOT NULL,
    ruleset    text        NOT NULL,
    options    jsonb       NOT NULL,
    seats      smallint    NOT NULL CHECK (seats > 0),
    players    uuid[]      NOT NULL,
    status     text        NOT NULL CHECK (status IN ('open', 'finished')),
    version    integer     NOT NULL CHECK (version > 0),
    deals      integer     NOT NULL CHECK (deals >= 0),
    -- Points per seat, and the place of each: 1 + the seats ahead, those level share one.
    totals     integer[]   NOT NULL,
    places     smallint[]  NOT NULL,
    -- Whether the table set it aside: then it counts nowhere, and is told of only when asked for.
    set_aside  boolean     NOT NULL DEFAULT false,
    started_at timestamptz NOT NULL,
    -- What is known of when it was played: all; or only its start, its day (in UTC), or nothing.
    times      text        NOT NULL DEFAULT 'recorded'
        CHECK (times IN ('recorded', 'start', 'day', 'none')),
    last_at    timestamptz NOT NULL,
    PRIMARY KEY (club_id, game_id)
) WITH (fillfactor = 70);

-- The order of every list of games: it does not move while games are played, so that pages neither
-- repeat nor skip one.
CREATE INDEX game_by_start ON carnet.game (club_id, started_at, game_id);

CREATE INDEX game_by_ruleset ON carnet.game (club_id, ruleset, started_at, game_id);

-- Finds the few open games among many. It holds a column that an append may change, but only the
-- append that ends a game does: every other update stays on its page.
CREATE INDEX game_by_status ON carnet.game (club_id, status, started_at, game_id);

-- Finds and counts the few games that are set aside.
CREATE INDEX game_set_aside ON carnet.game (club_id, started_at, game_id) WHERE set_aside;

-- Projection: who played which game, with what lists of somebody's games are filtered and ordered
-- by. Written when a game starts and not touched by later appends. Rebuildable.
CREATE TABLE carnet.game_player (
    club_id    uuid        NOT NULL,
    game_id    uuid        NOT NULL,
    seat       smallint    NOT NULL CHECK (seat >= 0),
    player_id  uuid        NOT NULL,
    ruleset    text        NOT NULL,
    started_at timestamptz NOT NULL,
    PRIMARY KEY (club_id, game_id, seat)
);

CREATE INDEX game_player_by_start
    ON carnet.game_player (club_id, player_id, started_at, game_id);

CREATE INDEX game_player_by_ruleset
    ON carnet.game_player (club_id, player_id, ruleset, started_at, game_id);

-- Projection: the points of every ended deal, and the entry (version) that ended it. Rebuildable.
CREATE TABLE carnet.deal_score (
    club_id uuid        NOT NULL,
    game_id uuid        NOT NULL,
    deal    integer     NOT NULL CHECK (deal > 0),
    version integer     NOT NULL CHECK (version > 0),
    points  integer[]   NOT NULL,
    detail  jsonb       NOT NULL,
    at      timestamptz NOT NULL,
    PRIMARY KEY (club_id, game_id, deal)
);

-- Which results changed, by which transaction: where standings are folded again from. A game is in
-- it by its place in the order of all games, and by the place it had before, if that was another.
-- A row whose transaction is to come is from another server's life (a dump) and says nothing.
CREATE TABLE carnet.result_change (
    club_id    uuid        NOT NULL,
    xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
    started_at timestamptz NOT NULL,
    game_id    uuid        NOT NULL,
    PRIMARY KEY (club_id, xid, started_at, game_id)
);

-- Notes that what standings see of a game has changed.
CREATE FUNCTION carnet.note_result_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    INSERT INTO result_change (club_id, started_at, game_id)
    VALUES (NEW.club_id, NEW.started_at, NEW.game_id)
    ON CONFLICT DO NOTHING;
    IF TG_OP = 'UPDATE' AND OLD.started_at <> NEW.started_at THEN
        INSERT INTO result_change (club_id, started_at, game_id)
        VALUES (OLD.club_id, OLD.started_at, OLD.game_id)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.note_result_change FROM PUBLIC;

CREATE TRIGGER game_begins
    AFTER INSERT ON carnet.game
    FOR EACH ROW EXECUTE FUNCTION carnet.note_result_change();

-- Not while a game goes on: of an open game standings only see that it began.
CREATE TRIGGER game_tells
    AFTER UPDATE ON carnet.game
    FOR EACH ROW
    WHEN (OLD.status = 'finished' OR NEW.status = 'finished' OR OLD.set_aside <> NEW.set_aside
          OR OLD.started_at <> NEW.started_at OR OLD.times <> NEW.times OR OLD.players <> NEW.players
          OR OLD.ruleset <> NEW.ruleset)
    EXECUTE FUNCTION carnet.note_result_change();

-- What standings were folded to, up to a game, as seen by a snapshot: only a head start. A row says
-- nothing any more once a game up to there changed, and may be deleted at any time.
CREATE TABLE carnet.standings_kept (
    club_id    uuid        NOT NULL,
    -- Which games were folded, by which code, on which server.
    fold       text        NOT NULL,
    games      integer     NOT NULL CHECK (games > 0),
    started_at timestamptz NOT NULL,
    game_id    uuid        NOT NULL,
    seen       pg_snapshot NOT NULL,
    state      bytea       NOT NULL,
    saved_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, fold, games)
);

-- What is said of a game beside its log: where it was played, and words to find it by. It is no
-- move, stands in no hash, may change, and means nothing for any score.
CREATE TABLE carnet.game_description (
    club_id uuid   NOT NULL,
    game_id uuid   NOT NULL,
    place   text   NOT NULL CHECK (length(place) <= 60),
    tags    text[] NOT NULL CHECK (cardinality(tags) <= 10),
    PRIMARY KEY (club_id, game_id)
);

-- Some days under a name, the first and the last one included.
CREATE TABLE carnet.season (
    club_id   uuid NOT NULL,
    season_id uuid NOT NULL,
    name      text NOT NULL CHECK (name <> ''),
    first_day date NOT NULL,
    last_day  date NOT NULL CHECK (last_day >= first_day),
    PRIMARY KEY (club_id, season_id)
);

-- What a game is locked by. Two games whose keys are alike only wait for each other.
CREATE FUNCTION carnet.game_key(p_club_id uuid, p_game_id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN uuid_hash_extended(p_game_id, uuid_hash_extended(p_club_id, 0));

REVOKE EXECUTE ON FUNCTION carnet.game_key FROM PUBLIC;

-- Holds one game until the transaction ends. Taking the lock assigns no xid.
CREATE FUNCTION carnet.lock_game(p_club_id uuid, p_game_id uuid) RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(carnet.game_key(p_club_id, p_game_id));
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.lock_game FROM PUBLIC;

-- Holds the games of p_commands (see append) until the transaction ends, those that somebody else
-- holds after a wait or, without p_wait, not at all; returns which are held. They are locked in one
-- order whoever asks, so that two who ask for several never wait for each other.
CREATE FUNCTION carnet.lock_games(p_club_id uuid, p_commands jsonb, p_wait boolean) RETURNS uuid[]
    LANGUAGE plpgsql
AS $$
DECLARE
    game record;
    held uuid[] := '{}';
BEGIN
    FOR game IN
        SELECT DISTINCT carnet.game_key(p_club_id, c.game_id) AS key, c.game_id AS id
        FROM jsonb_to_recordset(p_commands) AS c (game_id uuid)
        ORDER BY 1
    LOOP
        IF p_wait THEN
            PERFORM pg_advisory_xact_lock(game.key);
        ELSIF NOT pg_try_advisory_xact_lock(game.key) THEN
            CONTINUE;
        END IF;
        held := held || game.id;
    END LOOP;
    RETURN held;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.lock_games FROM PUBLIC;

-- Refuses a transaction in which an append could not be right: one whose place in the order of
-- transactions was taken before the lock, or one that would not see what was committed since.
CREATE FUNCTION carnet.refuse_stale_view() RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'YC003',
            MESSAGE = 'append must be the first write of its transaction';
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'YC003',
            MESSAGE = format('append runs at READ COMMITTED, not at %s',
                             upper(current_setting('transaction_isolation')));
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_stale_view FROM PUBLIC;

-- Refuses a call for another club than the session, or the transaction, said to be of
-- (carnet.club_id). One that said none is of the club of the call. For functions that run as the
-- owner, whom no policy binds.
--
-- Refuses: insufficient_privilege
CREATE FUNCTION carnet.refuse_other_club(p_club_id uuid) RETURNS void
    LANGUAGE plpgsql STABLE
AS $$
BEGIN
    IF coalesce(current_setting('carnet.club_id', true), '') NOT IN ('', p_club_id::text) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'a call for another club than the session''s';
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_other_club FROM PUBLIC;

-- Refuses with the version the game stands at: the writer looked at another one.
CREATE FUNCTION carnet.refuse_conflict(current_version integer, expected_version integer)
    RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = 'YC001',
        MESSAGE = format('the game is at version %s, not %s', current_version, expected_version),
        DETAIL = jsonb_build_object('version', current_version)::text;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.refuse_conflict FROM PUBLIC;

-- Tells whether a command is stored in a game with these entries (see write_entries), whatever the
-- salts of their texts: the same command sent again comes with others, and therefore with other
-- digests. A text that was erased since counts as the same: what it was cannot be known any more.
-- NULL: the command is not stored. Reads the whole game: commands have no index.
CREATE FUNCTION carnet.same_command(
    p_club_id uuid, p_game_id uuid, p_command_id uuid, p_entries jsonb
) RETURNS boolean
    LANGUAGE plpgsql
AS $$
DECLARE
    -- No string in JSON reads like a digest: its quotes would be escaped.
    digest CONSTANT text := '\{"sha256":"[0-9a-f]{64}"\}';
    stored record;
    given  jsonb;
    n      integer := 0;
BEGIN
    FOR stored IN
        SELECT e.ordinal, e.type, e.schema_version, e.data, t.text
        FROM carnet.entry e
        LEFT JOIN carnet.free_text t
          ON t.club_id = e.club_id AND t.game_id = e.game_id AND t.version = e.version
        WHERE e.club_id = p_club_id AND e.game_id = p_game_id AND e.command_id = p_command_id
    LOOP
        n := n + 1;
        given := p_entries -> stored.ordinal::integer;
        IF stored.type IS DISTINCT FROM given ->> 'type'
           OR stored.schema_version IS DISTINCT FROM (given ->> 'schema_version')::smallint
           OR regexp_replace(convert_from(stored.data, 'UTF8'), digest, '{}')
              IS DISTINCT FROM regexp_replace(given ->> 'data', digest, '{}')
           OR (stored.text IS NOT NULL
               AND stored.text IS DISTINCT FROM decode(given ->> 'text', 'base64'))
        THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN CASE WHEN n > 0 THEN n = jsonb_array_length(p_entries) END;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.same_command FROM PUBLIC;

-- Writes the entries of a command into the log, after the entry p_version with the hash p_hash, and
-- their free texts beside it; returns the entries' hashes. Assumes the game's lock.
--   p_entries: [{"type", "schema_version", "data", "text", "salt"}, …]
--     data: the canonical JSON, as a string
--     text, salt: the free text and the salt of its digest, in base64; null where there is none
CREATE FUNCTION carnet.write_entries(
    p_club_id uuid, p_game_id uuid, p_version integer, p_hash bytea, p_command_id uuid,
    p_recorded_by uuid, p_recorded_at timestamptz, p_entries jsonb
) RETURNS bytea[]
    LANGUAGE plpgsql
AS $$
DECLARE
    given  record;
    n      integer := 0;
    last   bytea := p_hash;
    bytes  bytea;
    hashes bytea[] := '{}';
BEGIN
    FOR given IN
        SELECT * FROM jsonb_to_recordset(p_entries)
            AS e (type text, schema_version smallint, data text, text text, salt text)
    LOOP
        n := n + 1;
        bytes := convert_to(given.data, 'UTF8');
        last := carnet.entry_hash(
            p_club_id, p_game_id, p_version + n, p_command_id, (n - 1)::smallint, given.type,
            given.schema_version, p_recorded_at, p_recorded_by, bytes, last
        );
        INSERT INTO carnet.entry (club_id, game_id, version, ordinal, schema_version, command_id,
                                  recorded_at, recorded_by, type, data, hash)
        VALUES (p_club_id, p_game_id, p_version + n, n - 1, given.schema_version, p_command_id,
                p_recorded_at, p_recorded_by, given.type, bytes, last);
        IF given.text IS NOT NULL THEN
            INSERT INTO carnet.free_text (club_id, game_id, version, salt, text)
            VALUES (p_club_id, p_game_id, p_version + n,
                    decode(given.salt, 'base64'), decode(given.text, 'base64'));
        END IF;
        hashes[n] := last;
    END LOOP;
    RETURN hashes;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_entries FROM PUBLIC;

-- Records who sits where, seat 0 first, from a summary's "start": {"players": [uuid, …]}, and adds
-- the people this game brings: {"newcomers": [{"id", "name", "folded", "same_name"}, …]}. They come
-- with the append or not at all.
CREATE FUNCTION carnet.take_seats(p_club_id uuid, p_game_id uuid, p_start jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    INSERT INTO player (club_id, player_id, name, folded, same_name)
    SELECT p_club_id, n.id, n.name, n.folded, n.same_name
    FROM jsonb_to_recordset(coalesce(p_start -> 'newcomers', '[]'))
        AS n (id uuid, name text, folded text, same_name boolean);

    INSERT INTO seat (club_id, game_id, seat, player_id)
    SELECT p_club_id, p_game_id, n - 1, player::uuid
    FROM jsonb_array_elements_text(p_start -> 'players') WITH ORDINALITY AS players (player, n);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.take_seats FROM PUBLIC;

-- Writes the players of all games anew in which one of these entries of people has a seat.
CREATE FUNCTION carnet.seat_again(p_club_id uuid, p_players uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    UPDATE game g
    SET players = ARRAY(
        SELECT s.player_id FROM seated s
        WHERE s.club_id = p_club_id AND s.game_id = g.game_id ORDER BY s.seat
    )
    WHERE g.club_id = p_club_id AND g.game_id IN (
        SELECT t.game_id FROM seat t WHERE t.club_id = p_club_id AND t.player_id = ANY (p_players)
    );
    UPDATE game_player g SET player_id = s.player_id
    FROM seat t
    JOIN seated s ON s.club_id = t.club_id AND s.game_id = t.game_id AND s.seat = t.seat
    WHERE t.club_id = p_club_id AND t.player_id = ANY (p_players)
      AND g.club_id = t.club_id AND g.game_id = t.game_id AND g.seat = t.seat;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.seat_again FROM PUBLIC;

-- Makes two entries of people one person: whatever people read of the first one's games says the
-- second. The log and who was seated in it stay.
--
-- Answers 'merged' (also where that was so before), 'unknown' (one of them is not there, or was
-- forgotten), 'same-game' (p_into and p_player_id sat in one game, which is returned too), 'merged-already'
-- (the first is merged into somebody else), 'itself' (they are one person).
CREATE FUNCTION carnet.merge_players(
    p_club_id uuid, p_player_id uuid, p_into uuid, OUT verdict text, OUT game_id uuid
)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    one     player;
    other   player;
    members uuid[];
BEGIN
    PERFORM refuse_other_club(p_club_id);
    -- Waits for games that start with one of them, and lets none start meanwhile.
    PERFORM FROM player p
    WHERE p.club_id = p_club_id AND p.player_id IN (p_player_id, p_into)
    ORDER BY p.player_id FOR UPDATE;
    SELECT * INTO one FROM player p WHERE p.club_id = p_club_id AND p.player_id = p_player_id;
    SELECT * INTO other FROM player p WHERE p.club_id = p_club_id AND p.player_id = p_into;

    IF one.name IS NULL OR other.name IS NULL THEN
        verdict := 'unknown';
        RETURN;
    END IF;
    IF one.merged_into IS NOT NULL THEN
        verdict := CASE WHEN p_into IN (one.merged_into, one.person_id) THEN 'merged'
                        ELSE 'merged-already' END;
        RETURN;
    END IF;
    IF coalesce(other.person_id, p_into) = p_player_id THEN
        verdict := 'itself';
        RETURN;
    END IF;

    SELECT x.game_id INTO game_id
    FROM seated x
    JOIN seated y ON y.club_id = x.club_id AND y.game_id = x.game_id
    WHERE x.club_id = p_club_id AND x.player_id = p_player_id
      AND y.player_id = coalesce(other.person_id, p_into)
    LIMIT 1;
    IF FOUND THEN
        verdict := 'same-game';
        RETURN;
    END IF;

    members := ARRAY(
        SELECT p.player_id FROM player p
        WHERE p.club_id = p_club_id AND coalesce(p.person_id, p.player_id) = p_player_id
    );
    UPDATE player p
    SET person_id = coalesce(other.person_id, p_into),
        merged_into = CASE WHEN p.player_id = p_player_id THEN p_into ELSE p.merged_into END
    WHERE p.club_id = p_club_id AND p.player_id = ANY (members);
    PERFORM seat_again(p_club_id, members);
    verdict := 'merged';
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.merge_players FROM PUBLIC;

-- Undoes a merge: the entry, and those that were merged into it, are a person of their own again.
-- False: it is not merged.
CREATE FUNCTION carnet.part_players(p_club_id uuid, p_player_id uuid) RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    was     uuid;
    members uuid[];
BEGIN
    PERFORM refuse_other_club(p_club_id);
    SELECT p.person_id INTO was FROM player p
    WHERE p.club_id = p_club_id AND p.player_id = p_player_id FOR UPDATE;
    IF was IS NULL THEN
        RETURN false;
    END IF;
    members := ARRAY(
        WITH RECURSIVE member AS (
            SELECT p_player_id AS player_id
            UNION
            SELECT p.player_id FROM player p JOIN member m ON p.merged_into = m.player_id
            WHERE p.club_id = p_club_id
        )
        SELECT m.player_id FROM member m
    );
    UPDATE player p
    SET person_id = nullif(p_player_id, p.player_id),
        merged_into = CASE WHEN p.player_id = p_player_id THEN NULL ELSE p.merged_into END
    WHERE p.club_id = p_club_id AND p.player_id = ANY (members);
    PERFORM seat_again(p_club_id, members);
    RETURN true;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.part_players FROM PUBLIC;

-- Makes the deals' scores of a game exactly p_deals: [{"deal", "version", "points", "detail"}, …].
-- Only rows that differ are written, so that the next deal of a long game costs one row, while a
-- correction rewrites what it changed. A score's time is that of the entry that ended its deal.
CREATE FUNCTION carnet.write_deal_scores(p_club_id uuid, p_game_id uuid, p_deals jsonb)
    RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    DELETE FROM deal_score s
    WHERE s.club_id = p_club_id AND s.game_id = p_game_id
      AND s.deal NOT IN (SELECT (d ->> 'deal')::integer FROM jsonb_array_elements(p_deals) d);

    INSERT INTO deal_score AS s (club_id, game_id, deal, version, points, detail, at)
    SELECT p_club_id, p_game_id, d.deal, d.version, d.points, d.detail, e.recorded_at
    FROM jsonb_to_recordset(p_deals) AS d(deal integer, version integer, points integer[], detail jsonb)
    LEFT JOIN entry e
      ON e.club_id = p_club_id AND e.game_id = p_game_id AND e.version = d.version
    ON CONFLICT (club_id, game_id, deal) DO UPDATE
    SET version = excluded.version, points = excluded.points, detail = excluded.detail,
        at = excluded.at
    WHERE (s.version, s.points, s.detail, s.at)
          IS DISTINCT FROM (excluded.version, excluded.points, excluded.detail, excluded.at);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_deal_scores FROM PUBLIC;

-- Writes who played a game, from the seats and the game's own row.
CREATE FUNCTION carnet.write_game_players(p_club_id uuid, p_game_id uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    INSERT INTO game_player (club_id, game_id, seat, player_id, ruleset, started_at)
    SELECT g.club_id, g.game_id, s.seat, s.player_id, g.ruleset, g.started_at
    FROM game g
    JOIN seated s ON s.club_id = g.club_id AND s.game_id = g.game_id
    WHERE g.club_id = p_club_id AND g.game_id = p_game_id
    ON CONFLICT (club_id, game_id, seat) DO UPDATE
    SET player_id = excluded.player_id, ruleset = excluded.ruleset,
        started_at = excluded.started_at;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_game_players FROM PUBLIC;

-- Writes what people read of a game. Assumes the game's lock and entries up to p_version, the last
-- of which was recorded at p_head_at.
--   p_summary: {"status", "deals", "totals", "places", "set_aside"} and, to write the whole row,
--              "start": {"ruleset", "options", "seats", "started_at", "times"}
--   p_deals:   every deal's score, or NULL where none changed
-- Times are the log's, players those who are seated, so that a rebuild writes the row that was there before:
-- "started_at" is the log's word of when a game began that was recorded elsewhere, or null. No game
-- began after it was recorded here.
CREATE FUNCTION carnet.write_projection(
    p_club_id uuid, p_game_id uuid, p_version integer, p_head_at timestamptz, p_summary jsonb,
    p_deals jsonb
) RETURNS void
    LANGUAGE plpgsql
AS $$
DECLARE
    the record;
BEGIN
    SELECT * INTO the
    FROM jsonb_to_record(p_summary)
        AS s(status text, deals integer, totals integer[], places smallint[], set_aside boolean,
             start jsonb);

    IF the.start IS NOT NULL THEN
        INSERT INTO carnet.game (club_id, game_id, ruleset, options, seats, players, status, version,
                          deals, totals, places, set_aside, started_at, times, last_at)
        SELECT p_club_id, p_game_id, s.ruleset, s.options, s.seats,
               ARRAY(SELECT player_id FROM carnet.seated
                     WHERE club_id = p_club_id AND game_id = p_game_id ORDER BY seat),
               the.status, p_version, the.deals, the.totals, the.places,
               coalesce(the.set_aside, false),
               least(s.started_at, first.recorded_at), coalesce(s.times, 'recorded'), p_head_at
        FROM jsonb_to_record(the.start)
            AS s(ruleset text, options jsonb, seats smallint, started_at timestamptz,
                 times text)
        LEFT JOIN carnet.entry first
          ON first.club_id = p_club_id AND first.game_id = p_game_id AND first.version = 1
        ON CONFLICT (club_id, game_id) DO UPDATE
        SET ruleset = excluded.ruleset, options = excluded.options, seats = excluded.seats,
            players = excluded.players, status = excluded.status, version = excluded.version,
            deals = excluded.deals, totals = excluded.totals, places = excluded.places,
            set_aside = excluded.set_aside, started_at = excluded.started_at, times = excluded.times,
            last_at = excluded.last_at;
        PERFORM carnet.write_game_players(p_club_id, p_game_id);
    ELSE
        UPDATE carnet.game g
        SET status = the.status, version = p_version, deals = the.deals, totals = the.totals,
            places = the.places, set_aside = coalesce(the.set_aside, false), last_at = p_head_at
        WHERE g.club_id = p_club_id AND g.game_id = p_game_id;

        IF NOT FOUND THEN
            RAISE EXCEPTION USING
                ERRCODE = 'YC003',
                MESSAGE = 'a summary without "start" needs the row of a game that started';
        END IF;
    END IF;

    IF p_deals IS NOT NULL THEN
        PERFORM carnet.write_deal_scores(p_club_id, p_game_id, p_deals);
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_projection FROM PUBLIC;

-- Appends what commands bring to their games: of each command all entries or none, and for each a
-- verdict of its own. The commands of one call are one transaction: they are on disk together, and an
-- error (a player nobody knows, no room) stores none of them.
--
--   p_commands: [{"game_id", "version", "command_id", "recorded_by", "looked_through", "entries",
--                 "summary", "deals"}, …]
--     version: the one the writer saw last; 0 starts a game
--     looked_through: whether the writer has seen every entry up to that version, none of them of
--              this command; else the game is searched for it
--     entries: see write_entries
--     summary, deals: what people read of the game after these entries (see write_projection);
--              summary needs "start" when a game starts
--   p_wait: whether to wait for games that somebody holds
--
-- Answers in the order of the commands. verdict:
--   stored    with what the writer does not know: when, the hashes, and of the game, read under its
--             lock, the players and their names by seat and the versions whose text was erased
--   repeated  the command was stored before; nothing is stored
--   reused    the command is stored with other entries
--   conflict  the game stands at another version (0: there is none)
--   busy      somebody holds the game
-- version is the one the game stands at.
--
-- Refuses: YC003 the transaction cannot append; a game starts without "start"
-- The order of the steps is the promise: xid and position are taken under the locks, so that entries
-- of a game have them in the order of their versions.
CREATE FUNCTION carnet.append(p_club_id uuid, p_commands jsonb, p_wait boolean)
    RETURNS TABLE (
        verdict text, version integer, recorded_at timestamptz, hashes bytea[], players uuid[],
        names text[], erased integer[]
    )
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    held      uuid[];
    command   record;
    last_hash bytea;
    known     boolean;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM refuse_stale_view();
    held := lock_games(p_club_id, p_commands, p_wait);

    FOR command IN
        SELECT * FROM jsonb_to_recordset(p_commands) AS c (
            game_id uuid, version integer, command_id uuid, recorded_by uuid,
            looked_through boolean, entries jsonb, summary jsonb, deals jsonb)
    LOOP
        version := NULL; recorded_at := NULL; hashes := NULL; players := NULL;
        names := NULL; erased := NULL;
        IF command.game_id <> ALL (held) THEN
            verdict := 'busy';
            RETURN NEXT;
            CONTINUE;
        END IF;

        SELECT e.version, e.hash INTO version, last_hash
        FROM entry e
        WHERE e.club_id = p_club_id AND e.game_id = command.game_id
        ORDER BY e.version DESC LIMIT 1;
        IF NOT FOUND THEN
            version := 0;
            last_hash := seating_hash(command.summary -> 'start' -> 'players');
        END IF;

        IF version <> command.version OR NOT command.looked_through THEN
            known := same_command(
                p_club_id, command.game_id, command.command_id, command.entries
            );
            verdict := CASE WHEN known THEN 'repeated'
                            WHEN NOT known THEN 'reused'
                            WHEN version <> command.version THEN 'conflict' END;
            IF verdict IS NOT NULL THEN
                RETURN NEXT;
                CONTINUE;
            END IF;
        END IF;

        verdict := 'stored';
        recorded_at := clock_timestamp();
        hashes := write_entries(p_club_id, command.game_id, version, last_hash,
                                command.command_id, command.recorded_by, recorded_at,
                                command.entries);
        IF version = 0 THEN
            PERFORM take_seats(p_club_id, command.game_id, command.summary -> 'start');
        END IF;
        version := version + cardinality(hashes);
        PERFORM write_projection(p_club_id, command.game_id, version, recorded_at,
                                 command.summary, command.deals);
        SELECT array_agg(s.player_id ORDER BY s.seat), array_agg(s.name ORDER BY s.seat)
        INTO players, names
        FROM seated s
        WHERE s.club_id = p_club_id AND s.game_id = command.game_id;
        erased := ARRAY(
            SELECT t.version FROM free_text t
            WHERE t.club_id = p_club_id AND t.game_id = command.game_id AND t.text IS NULL
        );
        RETURN NEXT;
    END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.append FROM PUBLIC;

-- Writes a game's projection anew, folded from its entries up to p_version; p_summary needs "start"
-- (its players are not read: who sits where is a source). Refuses with YC001 where the game has
-- gone on since: fold the new entries and come again.
CREATE FUNCTION carnet.project_game(
    p_club_id uuid, p_game_id uuid, p_version integer, p_summary jsonb, p_deals jsonb
) RETURNS void
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    head record;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM lock_game(p_club_id, p_game_id);

    SELECT e.version, e.recorded_at INTO head
    FROM entry e
    WHERE e.club_id = p_club_id AND e.game_id = p_game_id
    ORDER BY e.version DESC LIMIT 1;

    IF coalesce(head.version, 0) <> p_version THEN
        PERFORM refuse_conflict(coalesce(head.version, 0), p_version);
    END IF;
    PERFORM write_projection(
        p_club_id, p_game_id, p_version, head.recorded_at, p_summary, p_deals
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.project_game FROM PUBLIC;

-- Erases the free text of an entry; false where it has none. One that was erased stays so.
CREATE FUNCTION carnet.erase_text(p_club_id uuid, p_game_id uuid, p_version integer)
    RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    PERFORM refuse_other_club(p_club_id);
    UPDATE free_text
    SET text = NULL, salt = NULL
    WHERE club_id = p_club_id AND game_id = p_game_id AND version = p_version;
    RETURN FOUND;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.erase_text FROM PUBLIC;

-- Removes what nobody can use any more and nothing refers to: browsers' sessions that were not seen
-- for a while, and invitations that expired unused. Links, tokens and members stay: entries and lists
-- name them.
--   p_days: how long ago, at least; a session's cookie lasts no longer.
-- Answers with how many rows were removed.
CREATE FUNCTION carnet.remove_ended(p_club_id uuid, p_days integer) RETURNS integer
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    seen_before timestamptz := clock_timestamp() - make_interval(days => greatest(p_days, 30));
    removed     integer;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    DELETE FROM access_grant g
    WHERE g.club_id = p_club_id
      AND (g.kind = 'session' AND g.seen_at < seen_before
           OR g.kind = 'invitation' AND g.used_at IS NULL AND g.expires_at < seen_before);
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.remove_ended FROM PUBLIC;

-- Names the server that holds a club. Snapshots and transactions are numbered by each server for
-- itself: they say nothing on another, where the club may have been moved or restored to.
CREATE FUNCTION carnet.server_of_club(p_club_id uuid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    RETURN (SELECT c.system_identifier::text FROM pg_control_system() c);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.server_of_club FROM PUBLIC;

-- Tells what can be seen now of a club's results, and the first game of a period, by when it was
-- started (p_from, p_before; NULL: without a bound), that changed since p_seen could be seen.
-- p_seen NULL: of changes nothing. lost: the server knows less than it did then; p_seen says nothing.
-- Of all changes between the two looks the first is told now or the next time, never by neither.
CREATE FUNCTION carnet.results_changed(
    p_club_id uuid, p_seen text, p_from timestamptz, p_before timestamptz
) RETURNS TABLE (seen text, started_at timestamptz, game_id uuid, lost boolean)
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    before pg_snapshot := p_seen::pg_snapshot;
    now    pg_snapshot := pg_current_snapshot();
BEGIN
    seen := now::text;
    lost := coalesce(pg_snapshot_xmax(before) > pg_snapshot_xmax(now), false);
    SELECT c.started_at, c.game_id INTO started_at, game_id
    FROM result_change c
    WHERE c.club_id = p_club_id
      AND c.xid >= pg_snapshot_xmin(before) AND NOT pg_visible_in_snapshot(c.xid, before)
      AND c.xid < pg_snapshot_xmax(now)
      AND (p_from IS NULL OR c.started_at >= p_from)
      AND (p_before IS NULL OR c.started_at < p_before)
    ORDER BY c.started_at, c.game_id LIMIT 1;
    RETURN NEXT;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.results_changed FROM PUBLIC;

-- Finds what saves most work of the standings kept under p_fold that are still true: no game up to
-- there, of a period as in results_changed, changed since they were folded.
CREATE FUNCTION carnet.newest_standings(
    p_club_id uuid, p_fold text, p_from timestamptz, p_before timestamptz
) RETURNS TABLE (games integer, started_at timestamptz, game_id uuid, seen text, state bytea)
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    now pg_snapshot := pg_current_snapshot();
BEGIN
    RETURN QUERY
    SELECT k.games, k.started_at, k.game_id, k.seen::text, k.state
    FROM standings_kept k
    WHERE k.club_id = p_club_id AND k.fold = p_fold
      AND pg_snapshot_xmax(k.seen) <= pg_snapshot_xmax(now)
      AND NOT EXISTS (
          SELECT FROM result_change c
          WHERE c.club_id = p_club_id
            AND c.xid >= pg_snapshot_xmin(k.seen) AND NOT pg_visible_in_snapshot(c.xid, k.seen)
            AND c.xid < pg_snapshot_xmax(now)
            AND (p_from IS NULL OR c.started_at >= p_from)
            AND (p_before IS NULL OR c.started_at < p_before)
            AND (c.started_at, c.game_id) <= (k.started_at, k.game_id)
      )
    ORDER BY k.games DESC LIMIT 1;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.newest_standings FROM PUBLIC;

-- What a club's sequencer is locked by. Two clubs whose keys are alike only wait for each other.
CREATE FUNCTION carnet.feed_key(p_club_id uuid) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    -- Any seed that no game has; ASCII "feed".
    RETURN uuid_hash_extended(p_club_id, 1717921124);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.feed_key FROM PUBLIC;

-- Gives the next positions of a club's feed to every entry that was committed since the last call.
-- Whoever calls is the sequencer while the call lasts; who comes meanwhile is told that it is busy.
--
-- Answers with one row:
--   head    the last position of the feed
--   added   how many this call gave; NULL: somebody else is giving some
--   oldest  when the first of them was recorded
--
-- What is new is what this look sees and the last one did not: transactions that began after it, and
-- those that were going on then. One that is still going on stalls nobody: it is found when it ends.
-- An entry is committed after those before it in its game and seen with them, and here they are put
-- in the order of their versions, so that no game is told out of order. On another server than the
-- last time (a dump was restored), where transactions have other numbers, everything is looked through.
-- It is planned at every call (0.3 ms), for these transactions and the tables as long as they are: a
-- plan that was kept walked the whole feed, made while that was short, or of numbers nobody knew yet.
CREATE FUNCTION carnet.extend_feed(p_club_id uuid)
    RETURNS TABLE (head bigint, added integer, oldest timestamptz)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
    SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    mark  feed_mark;
    now   pg_snapshot;
    began xid8;
    going xid8[];
    here  bigint;
    known boolean;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM refuse_stale_view();
    IF NOT pg_try_advisory_xact_lock(feed_key(p_club_id)) THEN
        head := coalesce((SELECT m.position FROM feed_mark m WHERE m.club_id = p_club_id), 0);
        RETURN NEXT;
        RETURN;
    END IF;

    -- Under the lock: a statement sees what was committed before it began.
    SELECT * INTO mark FROM feed_mark m WHERE m.club_id = p_club_id;
    here := (SELECT c.system_identifier FROM pg_control_system() c);
    known := coalesce(mark.server = here, false);
    head := coalesce(mark.position, 0);
    now := pg_current_snapshot();
    began := pg_snapshot_xmax(mark.seen);
    going := ARRAY(SELECT pg_snapshot_xip(mark.seen));

    IF known THEN
        INSERT INTO feed (club_id, position, game_id, version, hash)
        SELECT p_club_id, head + row_number() OVER (ORDER BY place, version), game_id, version, hash
        FROM (
            SELECT e.game_id, e.version, e.hash,
                   max(e.position) OVER (PARTITION BY e.game_id ORDER BY e.version) AS place
            FROM entry e
            WHERE e.club_id = p_club_id
              AND (e.xid >= began AND e.xid < pg_snapshot_xmax(now) OR e.xid = ANY (going))
              AND pg_visible_in_snapshot(e.xid, now)
              AND NOT EXISTS (
                  SELECT FROM feed f
                  WHERE f.club_id = p_club_id AND f.game_id = e.game_id AND f.version = e.version
              )
        ) new;
    ELSE
        INSERT INTO feed (club_id, position, game_id, version, hash)
        SELECT p_club_id, head + row_number() OVER (ORDER BY place, version), game_id, version, hash
        FROM (
            SELECT e.game_id, e.version, e.hash,
                   max(e.position) OVER (PARTITION BY e.game_id ORDER BY e.version) AS place
            FROM entry e
            WHERE e.club_id = p_club_id
              AND NOT EXISTS (
                  SELECT FROM feed f
                  WHERE f.club_id = p_club_id AND f.game_id = e.game_id AND f.version = e.version
              )
        ) new;
    END IF;
    GET DIAGNOSTICS added = ROW_COUNT;

    IF added > 0 THEN
        oldest := (
            SELECT e.recorded_at
            FROM feed f
            JOIN entry e ON e.club_id = p_club_id AND e.game_id = f.game_id AND e.version = f.version
            WHERE f.club_id = p_club_id AND f.position = head + 1
        );
        head := head + added;
    END IF;
    IF added > 0 OR NOT known THEN
        INSERT INTO feed_mark (club_id, position, seen, server)
        VALUES (p_club_id, head, now, here)
        ON CONFLICT (club_id) DO UPDATE
        SET position = excluded.position, seen = excluded.seen, server = excluded.server;
    END IF;
    RETURN NEXT;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.extend_feed FROM PUBLIC;

-- Deals out what came to a club's feed: a delivery for each entry that a webhook asks for, and how far
-- it got, in one transaction, so that a crash leaves neither a gap nor a double. Two who call share
-- the work. Answers how many webhooks there are, how many are behind the feed still, and how many gave
-- up. Deliveries that nothing is to be sent of are forgotten after thirty days.
CREATE FUNCTION carnet.tell_webhooks(p_club_id uuid, p_most integer)
    RETURNS TABLE (hooks integer, behind integer, failed integer)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    hook  webhook;
    head  bigint;
    until bigint;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    head := coalesce((SELECT m.position FROM feed_mark m WHERE m.club_id = p_club_id), 0);
    FOR hook IN
        SELECT * FROM webhook w
        WHERE w.club_id = p_club_id AND w.state = 'on' AND w.position < head
        ORDER BY w.webhook_id FOR UPDATE SKIP LOCKED
    LOOP
        until := least(head, hook.position + p_most);
        INSERT INTO webhook_delivery (club_id, webhook_id, position, game_id, version, type, next_at)
        SELECT p_club_id, hook.webhook_id, f.position, f.game_id, f.version, e.type, now()
        FROM feed f
        JOIN entry e ON e.club_id = f.club_id AND e.game_id = f.game_id AND e.version = f.version
        WHERE f.club_id = p_club_id AND f.position > hook.position AND f.position <= until
          AND (hook.game_id IS NULL OR f.game_id = hook.game_id)
          AND (hook.types IS NULL OR e.type = ANY (hook.types))
        ON CONFLICT (club_id, webhook_id, position) DO NOTHING;
        UPDATE webhook w SET position = until
        WHERE w.club_id = p_club_id AND w.webhook_id = hook.webhook_id;
        DELETE FROM webhook_delivery d
        WHERE d.club_id = p_club_id AND d.webhook_id = hook.webhook_id AND d.next_at IS NULL
          AND d.created_at < now() - interval '30 days';
    END LOOP;
    SELECT count(*), count(*) FILTER (WHERE w.state = 'on' AND w.position < head),
           count(*) FILTER (WHERE w.state IN ('failed', 'gone'))
    INTO hooks, behind, failed
    FROM webhook w WHERE w.club_id = p_club_id;
    RETURN NEXT;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.tell_webhooks FROM PUBLIC;

-- Takes some deliveries that are due, for whoever calls, for p_seconds: if they say nothing by then, the
-- next one who calls takes them again. Of the entries of a game only the first that was not taken in
-- is due, so that a receiver is told each game in order. Whoever is at it already is not waited for.
-- p_heads: whether the caller knows how to hand on a signed head.
CREATE FUNCTION carnet.claim_deliveries(
    p_club_id uuid, p_most integer, p_seconds double precision, p_heads boolean DEFAULT false
)
    RETURNS TABLE (
        webhook_id uuid, place bigint, game_id uuid, version integer, type text,
        attempts integer, by_hand boolean, url text, form text, events text[], language text,
        site text, secret bytea, old_secret bytea, note text, created_at timestamptz
    )
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    due record;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    FOR due IN
        SELECT d.webhook_id AS hook_id, d.position AS at_place, d.game_id AS of_game,
               d.version AS of_version, d.type AS of_type, d.attempts AS tried, d.by_hand AS asked,
               w.url AS to_url, w.form AS in_form, w.events AS for_events, w.language AS lang,
               w.site AS from_site, w.secret AS key, d.note AS head, d.created_at AS made_at,
               CASE WHEN w.old_until > now() THEN w.old_secret END AS old_key
        FROM webhook_delivery d
        JOIN webhook w ON w.club_id = d.club_id AND w.webhook_id = d.webhook_id
        WHERE d.club_id = p_club_id AND d.next_at <= now() AND (w.state = 'on' OR d.by_hand)
          AND (p_heads OR d.note IS NULL)
          AND (d.by_hand OR NOT EXISTS (
              SELECT FROM webhook_delivery b
              WHERE b.club_id = p_club_id AND b.webhook_id = d.webhook_id AND b.game_id = d.game_id
                AND b.position < d.position AND b.next_at IS NOT NULL AND NOT b.by_hand
          ))
        ORDER BY d.next_at, d.position LIMIT p_most
        FOR UPDATE OF d SKIP LOCKED
    LOOP
        UPDATE webhook_delivery d
        SET next_at = now() + make_interval(secs => p_seconds), attempts = d.attempts + 1,
            status = NULL, error = NULL
        WHERE d.club_id = p_club_id AND d.webhook_id = due.hook_id AND d.position = due.at_place;
        webhook_id := due.hook_id; place := due.at_place; game_id := due.of_game;
        version := due.of_version; type := due.of_type; attempts := due.tried + 1;
        by_hand := due.asked; url := due.to_url; form := due.in_form; events := due.for_events;
        language := due.lang; site := due.from_site; secret := due.key; old_secret := due.old_key;
        note := due.head; created_at := due.made_at;
        RETURN NEXT;
    END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.claim_deliveries FROM PUBLIC;

-- Adds a call to a webhook that tells of no entry: one to try it out (p_note NULL), or one that hands it
-- a signed head. A head that it was handed, or that comes within p_apart of another, is not added.
-- Answers whether there is such a webhook. The webhook is locked, so that whoever else adds one waits;
-- a process of before this function did not lock it, and may have taken the number meanwhile.
CREATE FUNCTION carnet.add_delivery(
    p_club_id uuid, p_webhook_id uuid, p_type text, p_note text, p_apart interval
)
    RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM FROM webhook w
    WHERE w.club_id = p_club_id AND w.webhook_id = p_webhook_id FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF EXISTS (
        SELECT FROM webhook_delivery d
        WHERE d.club_id = p_club_id AND d.webhook_id = p_webhook_id
          AND (d.note = p_note
               OR p_note IS NOT NULL AND d.note IS NOT NULL AND d.created_at > now() - p_apart)
    ) THEN
        RETURN true;
    END IF;
    LOOP
        INSERT INTO webhook_delivery (club_id, webhook_id, position, type, by_hand, next_at, note)
        SELECT p_club_id, p_webhook_id, least(0, min(d.position)) - 1, p_type, p_note IS NULL, now(),
               p_note
        FROM webhook_delivery d
        WHERE d.club_id = p_club_id AND d.webhook_id = p_webhook_id
        ON CONFLICT (club_id, webhook_id, position) DO NOTHING;
        IF FOUND THEN
            RETURN true;
        END IF;
    END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.add_delivery FROM PUBLIC;

-- Names the clubs whose webhooks wait for something: the one thing that is asked of all clubs.
CREATE FUNCTION carnet.clubs_told() RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    RETURN QUERY SELECT DISTINCT w.club_id FROM webhook w WHERE w.state = 'on';
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.clubs_told FROM PUBLIC;
