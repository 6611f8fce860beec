-- Where the sequencer finds what was committed since it looked last (extend_feed).
CREATE INDEX entry_by_transaction ON carnet.entry (club_id, xid);
