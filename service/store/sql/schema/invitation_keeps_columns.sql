-- An invitation is used; whose it is stays.
CREATE TRIGGER invitation_keeps_columns
    BEFORE UPDATE ON carnet.invitation
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('used_at');
