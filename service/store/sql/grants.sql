-- What the service may do. Applied at every migration, so that a role made later gets it too.
-- On whole tables: what the service must not change of a row it may update, a trigger holds.
GRANT USAGE ON SCHEMA carnet TO carnet_service;
GRANT SELECT ON ALL TABLES IN SCHEMA carnet TO carnet_service;
GRANT EXECUTE ON FUNCTION carnet.append TO carnet_service;
GRANT EXECUTE ON FUNCTION carnet.project_game TO carnet_service;
GRANT EXECUTE ON FUNCTION carnet.erase_text TO carnet_service;
GRANT INSERT, UPDATE ON carnet.player TO carnet_service;
GRANT INSERT, UPDATE ON carnet.link TO carnet_service;
GRANT INSERT, UPDATE ON carnet.public_link TO carnet_service;
GRANT INSERT, UPDATE ON carnet.owner_key TO carnet_service;
GRANT INSERT, UPDATE, DELETE ON carnet.standings_kept TO carnet_service;
GRANT INSERT ON carnet.backup TO carnet_service;
