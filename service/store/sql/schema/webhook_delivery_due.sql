-- What is to be sent, and what waits for an earlier entry of its game.
CREATE INDEX webhook_delivery_due
    ON carnet.webhook_delivery (club_id, webhook_id, game_id, position)
    WHERE next_at IS NOT NULL;
