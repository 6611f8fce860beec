-- Per row, because on Citus statement triggers do not fire for a distributed DELETE.
CREATE TRIGGER entry_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.entry
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();
