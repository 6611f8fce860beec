-- A link is revoked; what it opens never changes.
CREATE TRIGGER link_keeps_columns
    BEFORE UPDATE ON carnet.link
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('revoked_at');
