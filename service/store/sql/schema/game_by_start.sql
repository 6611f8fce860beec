-- The order of every list of games: it does not move while games are played, so that pages neither
-- repeat nor skip one.
CREATE INDEX game_by_start ON carnet.game (club_id, started_at, game_id);
