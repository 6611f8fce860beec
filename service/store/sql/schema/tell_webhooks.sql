-- Deals out what came to a club's feed: a delivery for each entry that a webhook asks for, and how far
-- it got, in one transaction, so that a crash leaves neither a gap nor a double. Two who call share
-- the work. Answers how many webhooks there are, how many are behind the feed still, and how many gave
-- up. Deliveries that nothing is to be sent of are forgotten after thirty days.
CREATE FUNCTION carnet.tell_webhooks(p_club_id uuid, p_most integer)
    RETURNS TABLE (hooks integer, behind integer, failed integer)
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = carnet, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    hook  webhook;
    head  bigint;
    until bigint;
BEGIN
    PERFORM refuse_other_club(p_club_id);
    head := coalesce((SELECT m.position FROM feed_mark m WHERE m.club_id = p_club_id), 0);
    FOR hook IN
        SELECT * FROM webhook w
        WHERE w.club_id = p_club_id AND w.state = 'on' AND w.position < head
        ORDER BY w.webhook_id FOR UPDATE SKIP LOCKED
    LOOP
        until := least(head, hook.position + p_most);
        INSERT INTO webhook_delivery (club_id, webhook_id, position, game_id, version, type, next_at)
        SELECT p_club_id, hook.webhook_id, f.position, f.game_id, f.version, e.type, now()
        FROM feed f
        JOIN entry e ON e.club_id = f.club_id AND e.game_id = f.game_id AND e.version = f.version
        WHERE f.club_id = p_club_id AND f.position > hook.position AND f.position <= until
          AND (hook.game_id IS NULL OR f.game_id = hook.game_id)
          AND (hook.types IS NULL OR e.type = ANY (hook.types))
        ON CONFLICT (club_id, webhook_id, position) DO NOTHING;
        UPDATE webhook w SET position = until
        WHERE w.club_id = p_club_id AND w.webhook_id = hook.webhook_id;
        DELETE FROM webhook_delivery d
        WHERE d.club_id = p_club_id AND d.webhook_id = hook.webhook_id AND d.next_at IS NULL
          AND d.created_at < now() - interval '30 days';
    END LOOP;
    SELECT count(*), count(*) FILTER (WHERE w.state = 'on' AND w.position < head),
           count(*) FILTER (WHERE w.state IN ('failed', 'gone'))
    INTO hooks, behind, failed
    FROM webhook w WHERE w.club_id = p_club_id;
    RETURN NEXT;
END
$$;

REVOKE EXECUTE ON FUNCTION carnet.tell_webhooks FROM PUBLIC;
