-- Finds the few open games among many. It holds a column that an append may change, but only the
-- append that ends a game does: every other update stays on its page.
CREATE INDEX game_by_status ON carnet.game (club_id, status, started_at, game_id);
