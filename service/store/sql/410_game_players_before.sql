-- Who played the games that were there before game_player was.
INSERT INTO carnet.game_player (club_id, game_id, seat, player_id, ruleset, started_at)
SELECT g.club_id, g.game_id, s.seat, s.player_id, g.ruleset, g.started_at
FROM carnet.game g
JOIN carnet.seat s ON s.club_id = g.club_id AND s.game_id = g.game_id
ON CONFLICT DO NOTHING;
