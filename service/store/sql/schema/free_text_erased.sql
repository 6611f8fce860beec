-- Finds what was erased of a game, for whoever has read it before.
CREATE INDEX free_text_erased ON carnet.free_text (club_id, game_id, version) WHERE text IS NULL;
