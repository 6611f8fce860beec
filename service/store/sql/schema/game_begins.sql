CREATE TRIGGER game_begins
    AFTER INSERT ON carnet.game
    FOR EACH ROW EXECUTE FUNCTION carnet.note_result_change();
