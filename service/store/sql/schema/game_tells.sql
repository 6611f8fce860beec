-- Not while a game goes on: of an open game standings only see that it began.
CREATE TRIGGER game_tells
    AFTER UPDATE ON carnet.game
    FOR EACH ROW
    WHEN (OLD.status = 'finished' OR NEW.status = 'finished' OR OLD.set_aside <> NEW.set_aside
          OR OLD.continued <> NEW.continued OR OLD.deals_before <> NEW.deals_before
          OR OLD.started_at <> NEW.started_at OR OLD.times <> NEW.times OR OLD.players <> NEW.players
          OR OLD.ruleset <> NEW.ruleset OR OLD.title_id IS DISTINCT FROM NEW.title_id)
    EXECUTE FUNCTION carnet.note_result_change();
