CREATE INDEX access_grant_by_game ON carnet.access_grant (club_id, (games[1])) WHERE kind = 'link';
