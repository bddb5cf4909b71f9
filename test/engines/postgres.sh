#!/usr/bin/env bash
# PostgreSQL from the binaries on this machine (Debian: apt-get install postgresql). Prints DATABASE_URL, the service's
# login, and DATABASE_ADMIN_URL, the owner's, when it is ready.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The server refuses to run as root: then it runs as an account without rights.
ACCOUNT=
if [ "$(id -u)" = 0 ]; then
  ACCOUNT=nobody
  if id postgres >/dev/null 2>&1; then ACCOUNT=postgres; fi
fi
AS=()
[ -z "$ACCOUNT" ] || AS=(setpriv --reuid="$ACCOUNT" --regid="$(id -g "$ACCOUNT")" --clear-groups --no-new-privs)

find_binaries() {
  local found
  for found in "$(command -v initdb || true)" $(ls -1d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -rV); do
    [ -x "$found" ] || continue
    BIN=$(dirname "$(readlink -f "$found")")
    return
  done
  die "PostgreSQL is needed: apt-get install postgresql"
}

# The data lie beside the pid file, unless that is below a folder that the account may not enter.
find_data() {
  DATA=$DIR/data
  if [ -n "$ACCOUNT" ] && ! "${AS[@]}" test -x "$DIR"; then
    DATA=/var/tmp/footnote-postgres-$(printf %s "$DIR" | sha256sum | head -c 12)
  fi
}

password() {
  local file=$DIR/$1.password
  [ -s "$file" ] || (umask 077 && head -c 18 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$file")
  cat "$file"
}

as_admin() {
  PGPASSWORD=$(password postgres) PGSSLMODE=$([ -n "$TLS" ] && echo verify-full || echo disable) PGSSLROOTCERT=$TLS/ca.pem "$BIN/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$PORT" -U postgres "$@"
}

create() {
  local secret
  mkdir -p "$DATA"
  chmod 700 "$DATA"
  secret=$(mktemp)
  password postgres >"$secret"
  [ -z "$ACCOUNT" ] || chown "$ACCOUNT" "$DATA" "$secret"
  "${AS[@]}" "$BIN/initdb" -D "$DATA" -U postgres -A scram-sha-256 --pwfile="$secret" -E UTF8 --locale=C.UTF-8 \
    >"$DIR/initdb.log" 2>&1 || die "initdb failed; its log is $DIR/initdb.log"
  rm -f "$secret"
}

# The owner makes schemas and roles; the service's login owns nothing, so that row-level security binds it.
provision() {
  as_admin -d postgres <<SQL
do \$\$ begin
  if not exists (select from pg_roles where rolname = 'footnote_owner') then create role footnote_owner; end if;
  if not exists (select from pg_roles where rolname = 'footnote_service') then create role footnote_service; end if;
end \$\$;
alter role footnote_owner login nosuperuser createrole createdb password '$(password footnote_owner)';
alter role footnote_service login nosuperuser nocreaterole noinherit password '$(password footnote_service)';
select 'create database footnote owner footnote_owner'
where not exists (select from pg_database where datname = 'footnote')
\gexec
SQL
}

engine_address() {
  local tls=${TLS:+?sslmode=verify-full&sslrootcert=$TLS/ca.pem}
  echo "DATABASE_URL=postgres://footnote_service:$(password footnote_service)@127.0.0.1:$PORT/footnote$tls"
  echo "DATABASE_ADMIN_URL=postgres://footnote_owner:$(password footnote_owner)@127.0.0.1:$PORT/footnote$tls"
}

# The server takes a key only of its own account, and which connections may do without TLS is in pg_hba.conf.
secure() {
  local host=host
  SECURE=()
  if [ -n "$TLS" ]; then
    host=hostssl
    cp "$TLS/server.pem" "$TLS/server.key" "$DATA/"
    chmod 600 "$DATA/server.key"
    [ -z "$ACCOUNT" ] || chown "$ACCOUNT" "$DATA/server.pem" "$DATA/server.key"
    SECURE=(-c ssl=on -c ssl_cert_file=server.pem -c ssl_key_file=server.key)
  fi
  echo "$host all all 127.0.0.1/32 scram-sha-256" >"$DATA/pg_hba.conf"
}

engine_start() {
  local log=$DIR/postgres.log ready end
  [ -z "$ACCOUNT" ] || need setpriv
  find_binaries
  find_data
  [ -e "$DATA/PG_VERSION" ] || create
  secure
  ready="'$BIN/pg_isready' -q -h 127.0.0.1 -p $PORT"
  : >"$log"
  # After a kill the orphans of the old server need a moment to go, and until then a new one ends at once.
  end=$((SECONDS + 30))
  while :; do
    run_engine "$log" "${AS[@]}" "$BIN/postgres" -D "$DATA" -p "$PORT" -c listen_addresses=127.0.0.1 \
      -c unix_socket_directories= -c fsync=on -c shared_buffers=64MB -c max_wal_size=256MB "${SECURE[@]}"
    wait_for "$ready || ! pid_alive '$PIDFILE'" 30 || break
    if pid_alive "$PIDFILE" || [ $SECONDS -ge $end ]; then break; fi
    sleep 0.5
  done
  await_engine "$ready" 5 "$log"
  provision
}

# A fast shutdown: clients are sent away instead of being waited for.
engine_stop() {
  local pid
  pid=$(read_pid "$PIDFILE") || return 0
  kill -INT "$pid" 2>/dev/null || true
  stop_pid "$PIDFILE" 20
}

engine_main postgres 15432 "$@"
