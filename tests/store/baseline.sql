-- Everything of Carnet's stands in one schema, so that a shared database stays tidy
-- and so that functions can pin their search_path to it.
CREATE SCHEMA carnet;

-- Which files this database was made from and brought to today by, and exactly which bytes.
CREATE TABLE carnet.migration (
    name       text        PRIMARY KEY,
    digest     bytea       NOT NULL CHECK (octet_length(digest) = 32),
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A value as it goes into a hash: its length in bytes (4, big-endian), then its bytes.
-- NULL is length -1, so that it differs from the empty value and no two rows read alike.
CREATE FUNCTION carnet.length_prefixed(value bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(int4send(octet_length(value)) || value, '\xffffffff'::bytea);

REVOKE EXECUTE ON FUNCTION carnet.length_prefixed FROM PUBLIC;

-- The hash of an entry: SHA-256 over every stored column but position, xid and the hash itself,
-- in the order of the table. service/store/chain.py computes the same.
-- PL/pgSQL because convert_to() is only STABLE (it depends on the database's encoding, which is
-- UTF-8 here and cannot change), so that an SQL function could not be inlined and ran 4 times slower.
CREATE FUNCTION carnet.entry_hash(
    club_id uuid, game_id uuid, version integer, command_id uuid, ordinal smallint,
    type text, schema_version smallint, recorded_at timestamptz, recorded_by uuid,
    data bytea, prev_hash bytea
) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    RETURN sha256(
           carnet.length_prefixed(uuid_send(club_id))
        || carnet.length_prefixed(uuid_send(game_id))
        || carnet.length_prefixed(int4send(version))
        || carnet.length_prefixed(uuid_send(command_id))
        || carnet.length_prefixed(int2send(ordinal))
        || carnet.length_prefixed(convert_to(type, 'UTF8'))
        || carnet.length_prefixed(int2send(schema_version))
        || carnet.length_prefixed(timestamptz_send(recorded_at))
        || carnet.length_prefixed(uuid_send(recorded_by))
        || carnet.length_prefixed(data)
        || carnet.length_prefixed(prev_hash)
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.entry_hash FROM PUBLIC;

-- The log. A game is the entries of one (club_id, game_id), numbered from 1 without a gap;
-- each carries the hash of the one before it (the first: 32 zero bytes).
CREATE TABLE carnet.entry (
    club_id        uuid        NOT NULL,
    game_id        uuid        NOT NULL,
    version        integer     NOT NULL CHECK (version > 0),
    -- Private: an order of all entries, with gaps, and the transaction that wrote each.
    position       bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    xid            xid8        NOT NULL DEFAULT pg_current_xact_id(),
    -- The n-th entry (from 0) of the command that wrote it.
    command_id     uuid        NOT NULL,
    ordinal        smallint    NOT NULL CHECK (ordinal >= 0),
    type           text        NOT NULL,
    schema_version smallint    NOT NULL CHECK (schema_version > 0),
    recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    recorded_by    uuid,
    -- Canonical JSON in UTF-8: exactly the bytes that are hashed.
    data           bytea       NOT NULL,
    prev_hash      bytea       NOT NULL CHECK (octet_length(prev_hash) = 32),
    hash           bytea       NOT NULL,
    PRIMARY KEY (club_id, game_id, version),
    UNIQUE (club_id, game_id, command_id, ordinal),
    CONSTRAINT entry_hash_is_right CHECK (
        hash = carnet.entry_hash(
            club_id, game_id, version, command_id, ordinal, type, schema_version,
            recorded_at, recorded_by, data, prev_hash
        )
    )
);

-- What was recorded stays recorded: a correction is another entry.
CREATE FUNCTION carnet.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
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
-- A text that holds U+0000 is not shown: text in PostgreSQL has no room for that sign.
CREATE VIEW carnet.entry_json AS
SELECT e.club_id, e.game_id, e.version, e.type, convert_from(e.data, 'UTF8')::jsonb AS data,
       e.recorded_at, e.recorded_by, e.command_id, e.ordinal, e.schema_version, e.hash,
       CASE WHEN position('\x00'::bytea IN t.text) = 0 THEN convert_from(t.text, 'UTF8') END
           AS text
FROM carnet.entry e
LEFT JOIN carnet.free_text t USING (club_id, game_id, version);

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

-- People. Their names stand here and nowhere else: a name of NULL is a person who was forgotten.
CREATE TABLE carnet.player (
    club_id    uuid        NOT NULL,
    player_id  uuid        NOT NULL,
    name       text        CHECK (name <> ''),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (club_id, player_id)
);

-- A person is renamed or forgotten; who they are and since when stays.
CREATE TRIGGER player_keeps_columns
    BEFORE UPDATE ON carnet.player
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('name');

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

-- Links handed to phones. Only the hash of a link's token is stored.
CREATE TABLE carnet.link (
    club_id    uuid        NOT NULL,
    link_id    uuid        NOT NULL,
    game_id    uuid        NOT NULL,
    role       text        NOT NULL CHECK (role IN ('scorer', 'viewer')),
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    revoked_at timestamptz,
    PRIMARY KEY (club_id, link_id),
    UNIQUE (club_id, token_hash)
);

CREATE INDEX link_by_game ON carnet.link (club_id, game_id);

-- A link is revoked; what it opens never changes.
CREATE TRIGGER link_keeps_columns
    BEFORE UPDATE ON carnet.link
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('revoked_at');

-- The key of a club's owner, as a hash: made on the first start and shown once.
CREATE TABLE carnet.owner_key (
    club_id  uuid        PRIMARY KEY,
    key_hash bytea       NOT NULL CHECK (octet_length(key_hash) = 32),
    set_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A key is replaced; its club stays.
CREATE TRIGGER owner_key_keeps_columns
    BEFORE UPDATE ON carnet.owner_key
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('key_hash', 'set_at');

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
          OR OLD.started_at <> NEW.started_at OR OLD.players <> NEW.players
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

-- Holds one game until the transaction ends. Taking the lock assigns no xid.
-- Two games whose keys hash alike only wait for each other.
CREATE FUNCTION carnet.lock_game(p_club_id uuid, p_game_id uuid) RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(
        uuid_hash_extended(p_game_id, uuid_hash_extended(p_club_id, 0))
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.lock_game FROM PUBLIC;

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

-- Tells whether a stored command is the one that is given, whatever its salts: the same command
-- sent again comes with others, and therefore with other digests. A text that was erased since
-- counts as the same: what it was cannot be known any more.
CREATE FUNCTION carnet.same_but_for_salts(
    p_club_id uuid, p_game_id uuid, p_command_id uuid,
    p_types text[], p_schema_versions smallint[], p_data bytea[], p_texts bytea[]
) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    RETURN (
        SELECT count(*) = cardinality(p_data) AND bool_and(
                   e.type IS NOT DISTINCT FROM p_types[e.ordinal + 1]
               AND e.schema_version IS NOT DISTINCT FROM p_schema_versions[e.ordinal + 1]
               AND undigested.stored IS NOT DISTINCT FROM undigested.given
               AND (texts.stored IS NULL OR texts.stored IS NOT DISTINCT FROM p_texts[e.ordinal + 1])
               )
        FROM entry e
        CROSS JOIN LATERAL (
            -- No string in JSON reads like a digest: its quotes would be escaped.
            SELECT regexp_replace(convert_from(e.data, 'UTF8'),
                                  '\{"sha256":"[0-9a-f]{64}"\}', '{}') AS stored,
                   regexp_replace(convert_from(p_data[e.ordinal + 1], 'UTF8'),
                                  '\{"sha256":"[0-9a-f]{64}"\}', '{}') AS given
        ) AS undigested
        CROSS JOIN LATERAL (
            SELECT (SELECT t.text FROM free_text t
                    WHERE t.club_id = e.club_id AND t.game_id = e.game_id AND t.version = e.version)
                   AS stored
        ) AS texts
        WHERE e.club_id = p_club_id AND e.game_id = p_game_id AND e.command_id = p_command_id
    );
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.same_but_for_salts FROM PUBLIC;

-- Records who sits where, seat 0 first, from a summary's "start": {"players": [uuid, …]}, and adds
-- the people this game brings: {"newcomers": [{"id": uuid, "name": text}, …]}. They come with the
-- append or not at all.
CREATE FUNCTION carnet.take_seats(p_club_id uuid, p_game_id uuid, p_start jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    INSERT INTO player (club_id, player_id, name)
    SELECT p_club_id, n.id, n.name
    FROM jsonb_to_recordset(coalesce(p_start -> 'newcomers', '[]')) AS n (id uuid, name text);

    INSERT INTO seat (club_id, game_id, seat, player_id)
    SELECT p_club_id, p_game_id, n - 1, player::uuid
    FROM jsonb_array_elements_text(p_start -> 'players') WITH ORDINALITY AS players (player, n);
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.take_seats FROM PUBLIC;

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
    JOIN seat s ON s.club_id = g.club_id AND s.game_id = g.game_id
    WHERE g.club_id = p_club_id AND g.game_id = p_game_id
    ON CONFLICT (club_id, game_id, seat) DO UPDATE
    SET player_id = excluded.player_id, ruleset = excluded.ruleset,
        started_at = excluded.started_at;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_game_players FROM PUBLIC;

-- Writes what people read of a game. Assumes the game's lock and entries up to p_version.
--   p_summary: {"status", "deals", "totals", "places", "set_aside"} and, to write the whole row,
--              "start": {"ruleset", "options", "seats", "started_at"}
--   p_deals:   every deal's score, or NULL where none changed
-- Times are the log's, players the seats', so that a rebuild writes the row that was there before:
-- "started_at" is the log's word of when a game began that was recorded elsewhere, or null. No game
-- began after it was recorded here.
CREATE FUNCTION carnet.write_projection(
    p_club_id uuid, p_game_id uuid, p_version integer, p_summary jsonb, p_deals jsonb
) RETURNS void
    LANGUAGE plpgsql
    SET search_path = carnet, pg_temp
AS $$
DECLARE
    the     record;
    head_at timestamptz := (
        SELECT e.recorded_at FROM entry e
        WHERE e.club_id = p_club_id AND e.game_id = p_game_id AND e.version = p_version
    );
BEGIN
    SELECT * INTO the
    FROM jsonb_to_record(p_summary)
        AS s(status text, deals integer, totals integer[], places smallint[], set_aside boolean,
             start jsonb);

    IF the.start IS NOT NULL THEN
        INSERT INTO game (club_id, game_id, ruleset, options, seats, players, status, version,
                          deals, totals, places, set_aside, started_at, last_at)
        SELECT p_club_id, p_game_id, s.ruleset, s.options, s.seats,
               ARRAY(SELECT player_id FROM seat
                     WHERE club_id = p_club_id AND game_id = p_game_id ORDER BY seat.seat),
               the.status, p_version, the.deals, the.totals, the.places,
               coalesce(the.set_aside, false),
               least(s.started_at, first.recorded_at), head_at
        FROM jsonb_to_record(the.start)
            AS s(ruleset text, options jsonb, seats smallint, started_at timestamptz)
        LEFT JOIN entry first
          ON first.club_id = p_club_id AND first.game_id = p_game_id AND first.version = 1
        ON CONFLICT (club_id, game_id) DO UPDATE
        SET ruleset = excluded.ruleset, options = excluded.options, seats = excluded.seats,
            players = excluded.players, status = excluded.status, version = excluded.version,
            deals = excluded.deals, totals = excluded.totals, places = excluded.places,
            set_aside = excluded.set_aside, started_at = excluded.started_at, last_at = excluded.last_at;
        PERFORM write_game_players(p_club_id, p_game_id);
    ELSE
        UPDATE game g
        SET status = the.status, version = p_version, deals = the.deals, totals = the.totals,
            places = the.places, set_aside = coalesce(the.set_aside, false), last_at = head_at
        WHERE g.club_id = p_club_id AND g.game_id = p_game_id;

        IF NOT FOUND THEN
            RAISE EXCEPTION USING
                ERRCODE = 'YC003',
                MESSAGE = 'a summary without "start" needs the row of a game that started';
        END IF;
    END IF;

    IF p_deals IS NOT NULL THEN
        PERFORM write_deal_scores(p_club_id, p_game_id, p_deals);
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.write_projection FROM PUBLIC;

-- Appends the entries of one command to one game: all of them or none. Answers with what the writer
-- does not know: when they were recorded, their hashes, and of the game, read under its lock, the
-- players' names by seat and the versions whose text was erased. A command that was stored before
-- stores nothing (replayed): what it stored is read from the log.
--
--   p_expected_version: the version the writer saw last; 0 starts a game
--   p_types, p_schema_versions, p_data: one element an entry
--   p_texts, p_salts: the free text of each entry and the salt of its digest, NULL where an entry
--              has none; both NULL where none has
--   p_summary, p_deals: what people read of the game after these entries (see write_projection);
--              p_summary needs "start" when a game starts
--
-- Refuses: YC001 another version (DETAIL {"version": n}, 0 where there is no game)
--          YC002 the command is stored with other entries
--          YC003 the transaction cannot append; a game starts without "start"
-- The order of the steps is the promise: xid and position are taken under the lock, so that entries
-- of a game have them in the order of their versions.
CREATE FUNCTION carnet.append(
    p_club_id uuid, p_game_id uuid, p_expected_version integer, p_command_id uuid,
    p_recorded_by uuid, p_types text[], p_schema_versions smallint[], p_data bytea[],
    p_texts bytea[], p_salts bytea[], p_summary jsonb, p_deals jsonb
) RETURNS TABLE (
    replayed boolean, recorded_at timestamptz, hashes bytea[], names text[], erased integer[]
)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    last_version integer;
    last_hash    bytea;
    same_command boolean;
BEGIN
    PERFORM refuse_stale_view();
    PERFORM lock_game(p_club_id, p_game_id);

    SELECT e.version, e.hash INTO last_version, last_hash
    FROM entry e
    WHERE e.club_id = p_club_id AND e.game_id = p_game_id
    ORDER BY e.version DESC LIMIT 1;

    IF NOT FOUND THEN
        last_version := 0;
        last_hash := decode(repeat('00', 32), 'hex');
    END IF;

    SELECT array_agg(e.type ORDER BY e.ordinal) = p_types
       AND array_agg(e.schema_version ORDER BY e.ordinal) = p_schema_versions
       AND array_agg(e.data ORDER BY e.ordinal) = p_data
    INTO same_command
    FROM entry e
    WHERE e.club_id = p_club_id AND e.game_id = p_game_id AND e.command_id = p_command_id;

    IF same_command IS NOT NULL THEN
        IF NOT same_command AND p_texts IS NOT NULL THEN
            same_command := same_but_for_salts(
                p_club_id, p_game_id, p_command_id, p_types, p_schema_versions, p_data, p_texts
            );
        END IF;
        IF NOT same_command THEN
            RAISE EXCEPTION USING
                ERRCODE = 'YC002',
                MESSAGE = format('command %s is stored with other entries', p_command_id);
        END IF;
        replayed := true;
        RETURN NEXT;
        RETURN;
    END IF;

    IF last_version <> p_expected_version THEN
        PERFORM refuse_conflict(last_version, p_expected_version);
    END IF;

    replayed := false;
    recorded_at := clock_timestamp();
    hashes := '{}';
    FOR n IN 1 .. cardinality(p_data) LOOP
        hashes[n] := entry_hash(
            p_club_id, p_game_id, last_version + n, p_command_id, (n - 1)::smallint, p_types[n],
            p_schema_versions[n], recorded_at, p_recorded_by, p_data[n],
            CASE n WHEN 1 THEN last_hash ELSE hashes[n - 1] END
        );
    END LOOP;

    INSERT INTO entry AS e (club_id, game_id, version, command_id, ordinal, type, schema_version,
                            recorded_at, recorded_by, data, prev_hash, hash)
    SELECT p_club_id, p_game_id, last_version + n, p_command_id, n - 1, p_types[n],
           p_schema_versions[n], recorded_at, p_recorded_by, p_data[n],
           CASE n WHEN 1 THEN last_hash ELSE hashes[n - 1] END, hashes[n]
    FROM generate_series(1, cardinality(p_data)) AS n
    ORDER BY n;

    IF p_texts IS NOT NULL THEN
        INSERT INTO free_text (club_id, game_id, version, salt, text)
        SELECT p_club_id, p_game_id, last_version + n, p_salts[n], p_texts[n]
        FROM generate_series(1, cardinality(p_texts)) AS n
        WHERE p_texts[n] IS NOT NULL;
    END IF;

    IF last_version = 0 THEN
        PERFORM take_seats(p_club_id, p_game_id, p_summary -> 'start');
    END IF;
    PERFORM write_projection(
        p_club_id, p_game_id, last_version + cardinality(p_data), p_summary, p_deals
    );

    names := ARRAY(
        SELECT p.name
        FROM seat s JOIN player p ON p.club_id = s.club_id AND p.player_id = s.player_id
        WHERE s.club_id = p_club_id AND s.game_id = p_game_id
        ORDER BY s.seat
    );
    erased := ARRAY(
        SELECT t.version FROM free_text t
        WHERE t.club_id = p_club_id AND t.game_id = p_game_id AND t.text IS NULL
    );
    RETURN NEXT;
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
    last_version integer;
BEGIN
    PERFORM lock_game(p_club_id, p_game_id);

    SELECT coalesce(max(e.version), 0) INTO last_version
    FROM entry e
    WHERE e.club_id = p_club_id AND e.game_id = p_game_id;

    IF last_version <> p_version THEN
        PERFORM refuse_conflict(last_version, p_version);
    END IF;
    PERFORM write_projection(p_club_id, p_game_id, p_version, p_summary, p_deals);
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
    UPDATE free_text
    SET text = NULL, salt = NULL
    WHERE club_id = p_club_id AND game_id = p_game_id AND version = p_version;
    RETURN FOUND;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.erase_text FROM PUBLIC;
