CREATE INDEX game_player_by_start
    ON carnet.game_player (club_id, player_id, started_at, game_id);
