-- What the service may do. Applied at every migration, so that a role made later gets it too.
GRANT USAGE ON SCHEMA carnet TO carnet_service;
GRANT SELECT ON ALL TABLES IN SCHEMA carnet TO carnet_service;
GRANT EXECUTE ON FUNCTION carnet.append TO carnet_service;
GRANT EXECUTE ON FUNCTION carnet.project_game TO carnet_service;
GRANT EXECUTE ON FUNCTION carnet.erase_text TO carnet_service;
GRANT INSERT (club_id, player_id, name), UPDATE (name) ON carnet.player TO carnet_service;
GRANT INSERT (club_id, link_id, game_id, role, token_hash), UPDATE (revoked_at)
    ON carnet.link TO carnet_service;
GRANT INSERT (club_id, key_hash), UPDATE (key_hash, set_at) ON carnet.owner_key TO carnet_service;
