CREATE TRIGGER entry_keeps_all
    BEFORE TRUNCATE ON carnet.entry
    FOR EACH STATEMENT EXECUTE FUNCTION carnet.refuse_change();
