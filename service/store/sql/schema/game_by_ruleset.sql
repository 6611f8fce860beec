CREATE INDEX game_by_ruleset ON carnet.game (club_id, ruleset, started_at, game_id);
