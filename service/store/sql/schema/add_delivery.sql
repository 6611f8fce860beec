-- Adds a call to a webhook that tells of no entry: one to try it out (p_note NULL), or one that hands it
-- a signed head. A head that it was handed, or that comes within p_apart of another, is not added.
-- Answers whether there is such a webhook. The webhook is locked, so that whoever else adds one waits;
-- a process of before this function did not lock it, and may have taken the number meanwhile.
CREATE FUNCTION carnet.add_delivery(
    p_club_id uuid, p_webhook_id uuid, p_type text, p_note text, p_apart interval
)
    RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
BEGIN
    PERFORM refuse_other_club(p_club_id);
    PERFORM FROM webhook w
    WHERE w.club_id = p_club_id AND w.webhook_id = p_webhook_id FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF EXISTS (
        SELECT FROM webhook_delivery d
        WHERE d.club_id = p_club_id AND d.webhook_id = p_webhook_id
          AND (d.note = p_note
               OR p_note IS NOT NULL AND d.note IS NOT NULL AND d.created_at > now() - p_apart)
    ) THEN
        RETURN true;
    END IF;
    LOOP
        INSERT INTO webhook_delivery (club_id, webhook_id, position, type, by_hand, next_at, note)
        SELECT p_club_id, p_webhook_id, least(0, min(d.position)) - 1, p_type, p_note IS NULL, now(),
               p_note
        FROM webhook_delivery d
        WHERE d.club_id = p_club_id AND d.webhook_id = p_webhook_id
        ON CONFLICT (club_id, webhook_id, position) DO NOTHING;
        IF FOUND THEN
            RETURN true;
        END IF;
    END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.add_delivery FROM PUBLIC;
