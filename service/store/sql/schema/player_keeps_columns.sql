-- A person is renamed, merged or forgotten; who they are and since when stays.
CREATE TRIGGER player_keeps_columns
    BEFORE UPDATE ON carnet.player
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns(
        'name', 'folded', 'same_name', 'merged_into', 'person_id'
    );
