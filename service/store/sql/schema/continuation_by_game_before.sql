-- Finds what goes on from a game.
CREATE INDEX continuation_by_game_before ON carnet.continuation (club_id, continues);
