CREATE TRIGGER free_text_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.free_text
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_all_but_erasing();
