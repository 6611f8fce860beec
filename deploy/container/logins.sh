#!/bin/sh
# Creates the login of the service when the database volume is created.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$SERVICE_PASSWORD" --username="$POSTGRES_USER" <<'SQL'
CREATE ROLE carnet_service LOGIN PASSWORD :'password';
SQL
