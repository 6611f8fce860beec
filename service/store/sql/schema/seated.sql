-- Who sits where, as everything that people read says it: where an entry of a person was merged
-- into another, the other. Only the hash of a game's first entry is made of carnet.seat itself.
CREATE VIEW carnet.seated WITH (security_invoker = true) AS
SELECT s.club_id, s.game_id, s.seat, p.player_id, p.name
FROM carnet.seat s
JOIN carnet.player e ON e.club_id = s.club_id AND e.player_id = s.player_id
JOIN carnet.player p ON p.club_id = s.club_id AND p.player_id = coalesce(e.person_id, e.player_id);
