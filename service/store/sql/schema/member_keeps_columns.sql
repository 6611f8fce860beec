-- A member is renamed, given another role, tied to a player and removed; who they are stays.
CREATE TRIGGER member_keeps_columns
    BEFORE UPDATE ON carnet.member
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('name', 'role', 'removed_at', 'player_id');
