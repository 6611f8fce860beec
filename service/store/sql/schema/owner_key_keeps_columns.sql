-- A key is replaced; its club stays.
CREATE TRIGGER owner_key_keeps_columns
    BEFORE UPDATE ON carnet.owner_key
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns('key_hash', 'set_at');
