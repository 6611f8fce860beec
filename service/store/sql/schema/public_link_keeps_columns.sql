-- A link is revoked; what it opens never changes.
CREATE TRIGGER public_link_keeps_columns
    BEFORE UPDATE ON carnet.public_link
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('revoked_at');
