CREATE UNIQUE INDEX title_by_name ON carnet.title (club_id, folded);
