#!/bin/sh
# The two logins of docs/postgresql.md and their database. Run by the image once, on an empty volume.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -d postgres \
  -v owner_password="$FOOTNOTE_OWNER_PASSWORD" -v service_password="$FOOTNOTE_SERVICE_PASSWORD" <<'SQL'
create role footnote_owner login createrole password :'owner_password';
create role footnote_service login noinherit password :'service_password';
create database footnote owner footnote_owner;
SQL
