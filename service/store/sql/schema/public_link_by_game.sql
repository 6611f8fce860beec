CREATE INDEX public_link_by_game ON carnet.public_link (club_id, game_id);
