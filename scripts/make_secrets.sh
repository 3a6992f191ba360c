#!/usr/bin/env bash
# Makes deploy/secrets for docker-compose.yml: one file a secret, what exists is kept.
# The files of what only others can give (mail, Stripe) are made empty, for you to fill in.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 077
mkdir -p deploy/secrets
cd deploy/secrets

random() { head -c 36 /dev/urandom | base64 -w 0 | tr '+/' '-_'; }
keep() { [ -s "$1" ] || printf '%s' "$2" >"$1"; }

for name in postgres_password registrar_password box_password redis_password \
    secret_key feedback_pepper metrics_token; do
    keep "$name" "$(random)"
done
keep database_url "postgresql://portal:$(cat postgres_password)@postgres/portal"
keep registrar_database_url \
    "postgresql://registrar:$(cat registrar_password)@postgres/portal_registrar"
keep box_database_url "postgresql://box:$(cat box_password)@postgres/portal_box"
keep redis_url "redis://:$(cat redis_password)@redis:6379/0"
for name in email_password stripe_secret_key stripe_webhook_secret; do
    [ -e "$name" ] || : >"$name"
done
# The containers read them under their own account.
chmod 644 ./*
chmod 711 .
echo "deploy/secrets is complete. Fill in what is empty and needed:"
find . -type f -empty -printf '  deploy/secrets/%P\n'
