-- A club has one key of its owner.
CREATE UNIQUE INDEX access_grant_owner_key ON carnet.access_grant (club_id)
    WHERE kind = 'owner_key' AND revoked_at IS NULL;
