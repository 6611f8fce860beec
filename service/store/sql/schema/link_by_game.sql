CREATE INDEX link_by_game ON carnet.link (club_id, game_id);
