-- Appends what commands bring to their games: of each command all entries or none, and for each a
-- verdict of its own. The commands of one call are one transaction: they are on disk together, and an
-- error (a player nobody knows, no room) stores none of them.
--
--   p_commands: [{"game_id", "version", "command_id", "recorded_by", "duplicates_checked", "entries",
--                 "summary", "deals"}, …]
--     version: the one the writer saw last; 0 starts a game
--     duplicates_checked: whether the writer has seen every entry up to that version, none of them of
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
            duplicates_checked boolean, entries jsonb, summary jsonb, deals jsonb)
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

        IF version <> command.version OR NOT command.duplicates_checked THEN
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
