-- A title is renamed, changed, hidden, merged or forgotten; which it is and since when stays.
CREATE TRIGGER title_keeps_columns
    BEFORE UPDATE ON carnet.title
    FOR EACH ROW EXECUTE FUNCTION carnet.refuse_other_columns(
        'name', 'folded', 'options', 'hidden', 'merged_into', 'group_id'
    );
