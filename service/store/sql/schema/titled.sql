-- The title of a game, as everything that people read says it: where the title that it was started
-- with was merged into another, the other.
CREATE VIEW carnet.titled WITH (security_invoker = true) AS
SELECT s.club_id, s.game_id, t.title_id, t.name
FROM carnet.game_title s
JOIN carnet.title e ON e.club_id = s.club_id AND e.title_id = s.title_id
JOIN carnet.title t ON t.club_id = s.club_id AND t.title_id = coalesce(e.group_id, e.title_id);
