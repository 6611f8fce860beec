-- A session is renamed, seen again and ended; whose browser it is stays.
CREATE TRIGGER session_keeps_columns
    BEFORE UPDATE ON carnet.session
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('name', 'seen_at', 'ended_at');
