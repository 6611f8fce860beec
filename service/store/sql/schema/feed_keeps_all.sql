CREATE TRIGGER feed_keeps_all
    BEFORE TRUNCATE ON carnet.feed
    FOR EACH STATEMENT EXECUTE FUNCTION carnet.refuse_change();
