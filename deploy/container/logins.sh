#!/bin/sh
# Makes the login that serves, once, when the volume of the database is new.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$SERVICE_PASSWORD" --username="$POSTGRES_USER" <<'SQL'
CREATE ROLE carnet_service LOGIN PASSWORD :'password';
SQL
