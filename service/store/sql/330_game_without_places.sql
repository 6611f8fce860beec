-- Empty but for a moment after an update of Carnet.
CREATE INDEX game_without_places ON carnet.game (club_id, game_id) WHERE places IS NULL;
