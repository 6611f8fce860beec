-- Appends what commands bring to their games: of each command all entries or none, and for each a
-- verdict of its own. The commands of one call are one transaction: they are on disk together, and an
-- error (a player nobody knows, no room) stores none of them.
--
--   p_commands: [{"game_id", "version", "command_id", "recorded_by", "duplicates_checked", "entries",
--                 "summary", "deals", "before", "before_version", "follows"}, …]
--     version: the one the writer saw last; 0 starts a game
--     duplicates_checked: whether the writer has seen every entry up to that version, none of them of
--              this command; else the game is searched for it
--     entries: see write_entries
--     summary, deals: what people read of the game after these entries (see write_projection);
--              summary needs "start" when a game starts
--     before, before_version: the game that it goes on from after this command, which must be open, at
--              this version, and go on as no other; without a version: it goes on from it no more
--     follows: a correction of a game that goes on as another of these; if one command of the call is
--              not stored, none is
--   p_wait: whether to wait for games that somebody holds
--
-- Answers in the order of the commands. verdict:
--   stored    with what the writer does not know: when, the hashes, and of the game, read under its
--             lock, the players and their names by seat and the versions whose text was erased
--   repeated  the command was stored before; nothing is stored
--   reused    the command is stored with other entries
--   conflict  the game stands at another version (0: there is none)
--   continued the game, or the one before it, goes on as another game
--   moved     the game before it is over, set aside, or at another version
--   busy      somebody holds the game, or the one before it
-- version is the one the game stands at.
--
-- Refuses: YC003 the transaction cannot append; a game starts without "start"; YC001 a command with
-- "follows" in the call, and one that is not stored
-- The order of the steps is the promise: xid is taken under the locks, so that entries of a game have
-- it in the order of their versions.
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
    follows   boolean := jsonb_path_exists(p_commands, '$[*] ? (@.follows == true)');
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM refuse_stale_view();
    held := lock_games(p_club_id, p_commands, p_wait);
    -- Whoever is merged meanwhile would be missing from the rows of a new game.
    IF jsonb_path_exists(p_commands, '$[*] ? (@.version == 0)') THEN
        PERFORM lock_groups(p_club_id, false);
    END IF;

    FOR command IN
        SELECT * FROM jsonb_to_recordset(p_commands) AS c (
            game_id uuid, version integer, command_id uuid, recorded_by uuid,
            duplicates_checked boolean, entries jsonb, summary jsonb, deals jsonb,
            before uuid, before_version integer, follows boolean)
    LOOP
        version := NULL; recorded_at := NULL; hashes := NULL; players := NULL;
        names := NULL; erased := NULL;
        IF command.game_id <> ALL (held) OR command.before <> ALL (held) THEN
            verdict := 'busy';
            IF follows THEN
                PERFORM refuse_conflict(command.version, command.version);
            END IF;
            RETURN NEXT;
            CONTINUE;
        END IF;

        SELECT e.version, e.hash INTO version, last_hash
        FROM entry e
        WHERE e.club_id = p_club_id AND e.game_id = command.game_id
        ORDER BY e.version DESC LIMIT 1;
        IF NOT FOUND THEN
            version := 0;
            last_hash := seating_hash(
                command.summary -> 'start' -> 'players', command.before, command.before_version
            );
        END IF;

        IF version <> command.version OR NOT command.duplicates_checked THEN
            known := same_command(
                p_club_id, command.game_id, command.command_id, command.entries
            );
            verdict := CASE WHEN known THEN 'repeated'
                            WHEN NOT known THEN 'reused'
                            WHEN version <> command.version THEN 'conflict' END;
            IF verdict IS NOT NULL THEN
                IF follows THEN
                    PERFORM refuse_conflict(version, command.version);
                END IF;
                RETURN NEXT;
                CONTINUE;
            END IF;
        END IF;

        verdict := CASE WHEN NOT coalesce(command.follows, false) THEN may_go_on(
            p_club_id, command.game_id, command.before, command.before_version
        ) END;
        IF verdict IS NOT NULL THEN
            IF follows THEN
                PERFORM refuse_conflict(version, command.version);
            END IF;
            RETURN NEXT;
            CONTINUE;
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
        SELECT s.players, s.names, s.erased INTO players, names, erased
        FROM seats_and_erasures(p_club_id, command.game_id) s;
        RETURN NEXT;
    END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.append FROM PUBLIC;
