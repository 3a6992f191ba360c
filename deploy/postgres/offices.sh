#!/usr/bin/env bash
# Run by the image of PostgreSQL when it makes its data: registrar and box of sealed elections get
# a role and a database each, that the other and strangers cannot open.
set -euo pipefail

for office in registrar box; do
    psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
        --set office="$office" --set database="portal_$office" \
        --set password="$(cat "/run/secrets/${office}_password")" <<'SQL'
CREATE ROLE :"office" LOGIN PASSWORD :'password';
CREATE DATABASE :"database" OWNER :"office";
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
SQL
done
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
    --set database="$POSTGRES_DB" <<<'REVOKE ALL ON DATABASE :"database" FROM PUBLIC'
