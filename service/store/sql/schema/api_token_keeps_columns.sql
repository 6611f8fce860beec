-- A token is used and revoked; what it opens never changes.
CREATE TRIGGER api_token_keeps_columns
    BEFORE UPDATE ON carnet.api_token
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('seen_at', 'revoked_at');
