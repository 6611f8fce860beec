CREATE INDEX game_title_by_title ON carnet.game_title (club_id, title_id);
