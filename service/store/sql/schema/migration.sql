-- Which files this database was made from and brought to today by, and exactly which bytes.
-- older_goes_on: a version that does not know the file may work with what it made.
CREATE TABLE carnet.migration (
    name       text        PRIMARY KEY,
    digest     bytea       NOT NULL CHECK (octet_length(digest) = 32),
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    older_goes_on boolean  NOT NULL DEFAULT false
);
