-- The place of each seat: 1 + the seats ahead, those level share one. NULL only in a game that was
-- projected before there were places: the next start projects it anew.
ALTER TABLE carnet.game ADD COLUMN places smallint[];
