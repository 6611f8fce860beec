CREATE TRIGGER feed_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.feed
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();
