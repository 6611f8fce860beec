-- Everything of Carnet's stands in one schema, so that a shared database stays tidy
-- and so that functions can pin their search_path to it.
CREATE SCHEMA carnet;

-- Which files this database was made from and brought to today by, and exactly which bytes.
CREATE TABLE carnet.migration (
    name       text        PRIMARY KEY,
    digest     bytea       NOT NULL CHECK (octet_length(digest) = 32),
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The hash of an entry: SHA-256 over the hash of the entry before it and every stored column but
-- position, xid and the hash itself, each with its length before it: club_id, game_id, version,
-- command_id, ordinal, type, schema_version, recorded_at, recorded_by, data, prev_hash. Lengths that
-- are always the same are written out. service/store/chain.py computes the same.
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

-- The log. A game is the entries of one (club_id, game_id), numbered from 1 without a gap; the hash
-- of each covers that of the one before it (the first: 32 zero bytes), which is stored there alone.
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

-- Links that anybody may open: a game up to version `until`, or (null) the whole of it. Their tokens
-- stand apart from those that let people in, so that none of these can ever be taken for one.
CREATE TABLE carnet.public_link (
    club_id    uuid        NOT NULL,
    link_id    uuid        NOT NULL,
    game_id    uuid        NOT NULL,
    until      integer     CHECK (until >= 1),
    sites      text[]      NOT NULL DEFAULT '{}',
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    revoked_at timestamptz,
    PRIMARY KEY (club_id, link_id),
    UNIQUE (club_id, token_hash)
);

CREATE INDEX public_link_by_game ON carnet.public_link (club_id, game_id);

-- A link is revoked; what it opens never changes.
CREATE TRIGGER public_link_keeps_columns
    BEFORE UPDATE ON carnet.public_link
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
BEGIN
    RETURN (
        SELECT CASE WHEN count(*) > 0 THEN
            count(*) = jsonb_array_length(p_entries) AND bool_and(
                    e.type IS NOT DISTINCT FROM given.entry ->> 'type'
                AND e.schema_version IS NOT DISTINCT FROM (given.entry ->> 'schema_version')::smallint
                AND undigested.stored IS NOT DISTINCT FROM undigested.given
                AND (beside.text IS NULL
                     OR beside.text IS NOT DISTINCT FROM decode(given.entry ->> 'text', 'base64'))
            )
        END
        FROM carnet.entry e
        CROSS JOIN LATERAL (SELECT p_entries -> e.ordinal::integer AS entry) AS given
        CROSS JOIN LATERAL (
            -- No string in JSON reads like a digest: its quotes would be escaped.
            SELECT regexp_replace(convert_from(e.data, 'UTF8'),
                                  '\{"sha256":"[0-9a-f]{64}"\}', '{}') AS stored,
                   regexp_replace(given.entry ->> 'data',
                                  '\{"sha256":"[0-9a-f]{64}"\}', '{}') AS given
        ) AS undigested
        CROSS JOIN LATERAL (
            SELECT (SELECT t.text FROM carnet.free_text t
                    WHERE t.club_id = e.club_id AND t.game_id = e.game_id AND t.version = e.version)
                   AS text
        ) AS beside
        WHERE e.club_id = p_club_id AND e.game_id = p_game_id AND e.command_id = p_command_id
    );
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

-- Writes what people read of a game. Assumes the game's lock and entries up to p_version, the last
-- of which was recorded at p_head_at.
--   p_summary: {"status", "deals", "totals", "places", "set_aside"} and, to write the whole row,
--              "start": {"ruleset", "options", "seats", "started_at"}
--   p_deals:   every deal's score, or NULL where none changed
-- Times are the log's, players the seats', so that a rebuild writes the row that was there before:
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
                          deals, totals, places, set_aside, started_at, last_at)
        SELECT p_club_id, p_game_id, s.ruleset, s.options, s.seats,
               ARRAY(SELECT player_id FROM carnet.seat
                     WHERE club_id = p_club_id AND game_id = p_game_id ORDER BY seat),
               the.status, p_version, the.deals, the.totals, the.places,
               coalesce(the.set_aside, false),
               least(s.started_at, first.recorded_at), p_head_at
        FROM jsonb_to_record(the.start)
            AS s(ruleset text, options jsonb, seats smallint, started_at timestamptz)
        LEFT JOIN carnet.entry first
          ON first.club_id = p_club_id AND first.game_id = p_game_id AND first.version = 1
        ON CONFLICT (club_id, game_id) DO UPDATE
        SET ruleset = excluded.ruleset, options = excluded.options, seats = excluded.seats,
            players = excluded.players, status = excluded.status, version = excluded.version,
            deals = excluded.deals, totals = excluded.totals, places = excluded.places,
            set_aside = excluded.set_aside, started_at = excluded.started_at, last_at = excluded.last_at;
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
--             lock, the players' names by seat and the versions whose text was erased
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
        verdict text, version integer, recorded_at timestamptz, hashes bytea[], names text[],
        erased integer[]
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
    PERFORM refuse_stale_view();
    held := lock_games(p_club_id, p_commands, p_wait);

    FOR command IN
        SELECT * FROM jsonb_to_recordset(p_commands) AS c (
            game_id uuid, version integer, command_id uuid, recorded_by uuid,
            looked_through boolean, entries jsonb, summary jsonb, deals jsonb)
    LOOP
        version := NULL; recorded_at := NULL; hashes := NULL; names := NULL; erased := NULL;
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
            last_hash := decode(repeat('00', 32), 'hex');
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
        names := ARRAY(
            SELECT p.name
            FROM seat s JOIN player p ON p.club_id = s.club_id AND p.player_id = s.player_id
            WHERE s.club_id = p_club_id AND s.game_id = command.game_id
            ORDER BY s.seat
        );
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
    UPDATE free_text
    SET text = NULL, salt = NULL
    WHERE club_id = p_club_id AND game_id = p_game_id AND version = p_version;
    RETURN FOUND;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.erase_text FROM PUBLIC;
