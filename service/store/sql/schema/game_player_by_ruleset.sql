CREATE INDEX game_player_by_ruleset
    ON carnet.game_player (club_id, player_id, ruleset, started_at, game_id);
