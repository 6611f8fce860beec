CREATE TRIGGER head_key_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.head_key
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();
