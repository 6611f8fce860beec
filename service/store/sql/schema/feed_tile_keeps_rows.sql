CREATE TRIGGER feed_tile_keeps_rows
    BEFORE UPDATE OR DELETE ON carnet.feed_tile
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_change();
