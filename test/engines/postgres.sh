#!/usr/bin/env bash
# PostgreSQL from Debian's binaries, on 127.0.0.1, for the tests in test/stack:
#   test/engines/postgres.sh start|stop|kill|status [--dir FOLDER] [--port PORT]
# `start` is repeatable and prints the two URLs that the service takes; `kill` ends the postmaster as a crash would.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
verb=${1:-}
shift || true
port=15432
dir=
while [ $# -gt 0 ]; do
  case $1 in
    --dir) dir=$2 ;;
    --port) port=$2 ;;
    *) echo "postgres.sh: what is $1?" >&2; exit 2 ;;
  esac
  shift 2
done

fail() { echo "postgres.sh: $*" >&2; exit 1; }

# The server refuses to run as root: then it runs as an account without rights.
account=
if [ "$(id -u)" = 0 ]; then
  account=nobody
  if id postgres >/dev/null 2>&1; then account=postgres; fi
fi
as_server() {
  if [ -z "$account" ]; then "$@"; return; fi
  setpriv --reuid="$account" --regid="$(id -g "$account")" --clear-groups --no-new-privs "$@"
}

# A checkout below a closed home folder cannot be reached by that account.
if [ -z "$dir" ]; then
  dir=${FOOTNOTE_ENGINES:-$root/.cache/engines}/postgres-$port
  if [ -n "$account" ] && ! as_server test -x "$root"; then dir=/var/tmp/footnote-engines/postgres-$port; fi
fi
data=$dir/data

binaries() {
  local found
  for found in "$(command -v initdb || true)" $(ls -1d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -rV); do
    if [ -x "$found" ]; then dirname "$(readlink -f "$found")"; return; fi
  done
  fail "no PostgreSQL here; apt-get install postgresql brings it"
}
bin=$(binaries)

postmaster() { head -1 "$data/postmaster.pid" 2>/dev/null || true; }
alive() {
  local pid
  pid=$(postmaster)
  [ -n "$pid" ] && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = postgres ] && ! grep -q '^State:.Z' "/proc/$pid/status"
}

password() { cat "$dir/$1.password"; }
as_admin() { PGPASSWORD=$(password postgres) "$bin/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U postgres "$@"; }

create() {
  local name
  mkdir -p "$dir"
  for name in postgres footnote_owner footnote_service; do
    (umask 077; head -c 18 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$dir/$name.password")
  done
  if [ -n "$account" ]; then chown "$account" "$dir" "$dir/postgres.password"; fi
  as_server "$bin/initdb" -D "$data" -U postgres -A scram-sha-256 --pwfile="$dir/postgres.password" \
    -E UTF8 --locale=C.UTF-8 >"$dir/initdb.log" 2>&1 || fail "initdb failed, see $dir/initdb.log"
}

# After a kill the orphans of the old postmaster need a moment to go; until then the new one is refused.
launch() {
  local deadline=$((SECONDS + 60))
  until as_server "$bin/pg_ctl" -D "$data" -l "$dir/data/server.log" -w -t 30 -o "-p $port -c listen_addresses=127.0.0.1 \
      -c unix_socket_directories= -c fsync=on -c shared_buffers=64MB -c max_connections=100 -c max_wal_size=256MB" \
      start >"$dir/start.log" 2>&1; do
    [ $SECONDS -lt $deadline ] || fail "the server does not start, see $data/server.log"
    sleep 0.5
  done
}

# The owner makes schemas and roles, the service's login neither owns nor bypasses anything: row-level security binds both.
provision() {
  as_admin -d postgres <<SQL
do \$\$ begin
  if not exists (select from pg_roles where rolname = 'footnote_owner') then create role footnote_owner; end if;
  if not exists (select from pg_roles where rolname = 'footnote_service') then create role footnote_service; end if;
end \$\$;
alter role footnote_owner login nosuperuser createrole password '$(password footnote_owner)';
alter role footnote_service login nosuperuser nocreaterole nocreatedb noinherit password '$(password footnote_service)';
select 'create database footnote owner footnote_owner' where not exists (select from pg_database where datname = 'footnote')
\gexec
SQL
}

print_urls() {
  echo "DATABASE_URL=postgres://footnote_service:$(password footnote_service)@127.0.0.1:$port/footnote"
  echo "DATABASE_ADMIN_URL=postgres://footnote_owner:$(password footnote_owner)@127.0.0.1:$port/footnote"
}

case $verb in
  start)
    [ -e "$data/PG_VERSION" ] || create
    alive || launch
    provision
    print_urls
    ;;
  stop) ! alive || as_server "$bin/pg_ctl" -D "$data" -m fast -w -t 30 stop >/dev/null ;;
  kill) ! alive || kill -9 "$(postmaster)" ;;
  status) if alive; then echo "running, pid $(postmaster)"; print_urls; else echo stopped; exit 3; fi ;;
  *) fail 'start, stop, kill or status?' ;;
esac
