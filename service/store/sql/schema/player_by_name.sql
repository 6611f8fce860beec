-- Nobody gets the name of somebody else by accident, also where two requests arrive at once.
CREATE UNIQUE INDEX player_by_name ON carnet.player (club_id, folded) WHERE NOT same_name;
