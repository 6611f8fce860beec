-- Finds and counts the few games that are set aside.
CREATE INDEX game_set_aside ON carnet.game (club_id, started_at, game_id) WHERE set_aside;
