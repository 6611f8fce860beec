CREATE TRIGGER head_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.head
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();
