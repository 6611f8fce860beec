-- A grant is renamed, used, seen, tied to a player and revoked; what it opens, for whom and how long never changes.
CREATE TRIGGER access_grant_keeps_columns
    BEFORE UPDATE ON carnet.access_grant
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('name', 'seen_at', 'used_at', 'revoked_at', 'player_id');
