CREATE INDEX seat_by_player ON carnet.seat (club_id, player_id, game_id);
