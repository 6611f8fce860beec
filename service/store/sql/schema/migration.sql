-- Which files this database was made from and brought to today by, and exactly which bytes.
CREATE TABLE carnet.migration (
    name       text        PRIMARY KEY,
    digest     bytea       NOT NULL CHECK (octet_length(digest) = 32),
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
