-- Everything of Carnet's stands in one schema, so that a shared database stays tidy
-- and so that functions can pin their search_path to it.
CREATE SCHEMA carnet;
