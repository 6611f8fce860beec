CREATE TRIGGER free_text_keeps_all
    BEFORE TRUNCATE ON carnet.free_text
    FOR EACH STATEMENT EXECUTE FUNCTION carnet.refuse_change();
