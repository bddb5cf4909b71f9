# Helpers of the scripts in this folder, which run a real engine on loopback without containers. Sourced, not run:
#
#   . "$(dirname "${BASH_SOURCE[0]}")/common.sh"
#   engine_start() { …; run_engine LOG COMMAND…; wait_for 'COMMAND' SECONDS; echo "SOME_URL=…"; }
#   engine_main NAME DEFAULT_PORT "$@"
#
# A script takes `start|stop|kill|status [--dir FOLDER] [--port PORT] [--heap MEGABYTES] [--tls FOLDER]`. With `--tls` at each
# start, PostgreSQL and Kafka answer by TLS alone, with server.pem and server.key of that folder, which ca.pem signed. The instance folder holds one
# instance with its data, log and pid file; `start` on a running instance only prints its address again, and `kill`
# (SIGKILL) followed by `start` takes the same data up. Fetched artefacts lie in FOOTNOTE_ENGINES, by default
# .cache/engines, and are shared by all instances. Everything listens on 127.0.0.1 only.

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ENGINES=${FOOTNOTE_ENGINES:-$ROOT/.cache/engines}

say() { echo "$*" >&2; }
die() {
  say "$*"
  exit 1
}

need() { command -v "$1" >/dev/null || die "$1 is needed and not on the path"; }

# engine_dir NAME: the folder of an engine's fetched artefacts, made when it is missing.
engine_dir() {
  mkdir -p "$ENGINES/$1"
  echo "$ENGINES/$1"
}

# once FOLDER COMMAND…: runs a fetch that fills FOLDER (the command gets a scratch folder as its last word) unless it is
# there; two scripts at once, or one cut short, leave no half of it.
once() {
  local folder=$1
  shift
  mkdir -p "$(dirname "$folder")"
  (
    flock -w 600 9 || die "Somebody else has been fetching $folder for 10 minutes"
    [ -e "$folder" ] && exit 0
    rm -rf "$folder.part"
    mkdir -p "$folder.part"
    "$@" "$folder.part"
    mv "$folder.part" "$folder"
  ) 9>"$folder.lock"
}

# A process as `PID STARTED`, so that a number that went to somebody else meanwhile is not mistaken for ours.
started_at() { ps -o lstart= -p "$1" 2>/dev/null | tr -s ' ' '_'; }

write_pid() { echo "$2 $(started_at "$2")" >"$1"; }

# read_pid PIDFILE: prints the pid when that very process lives; a zombie does not.
read_pid() {
  local pid started
  [ -s "$1" ] || return 1
  read -r pid started <"$1"
  case $(ps -o stat= -p "$pid" 2>/dev/null) in '' | Z*) return 1 ;; esac
  [ "$(started_at "$pid")" = "$started" ] || return 1
  echo "$pid"
}

pid_alive() { read_pid "$1" >/dev/null; }

# wait_for COMMAND SECONDS: until the command (a line of shell) succeeds; fails when the time is over.
wait_for() {
  local end=$((SECONDS + $2))
  until eval "$1" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

port_open() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# kill_pid PIDFILE: SIGKILL, and back when the process is gone.
kill_pid() {
  local pid
  pid=$(read_pid "$1") || return 0
  kill -9 "$pid" 2>/dev/null || true
  wait_for "! pid_alive '$1'" 10 || die "Process $pid does not go away"
  rm -f "$1"
}

# stop_pid PIDFILE [SECONDS]: SIGTERM, and SIGKILL when that does not end it in time (default 20).
stop_pid() {
  local pid
  pid=$(read_pid "$1") || return 0
  kill "$pid" 2>/dev/null || true
  wait_for "! pid_alive '$1'" "${2:-20}" || kill_pid "$1"
  rm -f "$1"
}

# run_engine LOG COMMAND…: starts the engine apart from this terminal and notes its pid in $PIDFILE. Whatever the engine
# says goes to LOG. The command must be the engine itself, not a shell around it.
run_engine() {
  local log=$1
  shift
  setsid "$@" </dev/null >>"$log" 2>&1 9>&- &
  local pid=$!
  sleep 0.1
  write_pid "$PIDFILE" "$pid"
}

# await_engine COMMAND SECONDS LOG: wait_for that ends early when the process is gone, and shows the end of its log.
await_engine() {
  wait_for "{ $1; } || ! pid_alive '$PIDFILE'" "$2" || true
  pid_alive "$PIDFILE" && eval "$1" >/dev/null 2>&1 && return 0
  tail -n 20 "$3" >&2 || true
  kill_pid "$PIDFILE"
  die "$NAME was not ready within $2 s; its log is $3"
}

# engine_main NAME DEFAULT_PORT "$@": reads the words of the command line into VERB, DIR, PORT, HEAP and TLS and carries the
# verb out. A script defines engine_start and engine_address, and engine_stop or engine_kill where a signal to the one
# process in $PIDFILE is not enough.
engine_main() {
  NAME=$1 PORT=$2
  shift 2
  VERB=${1:-} DIR=$ENGINES/instances/$NAME HEAP= TLS=
  [ $# -eq 0 ] || shift
  while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || die "$1 wants a value"
    case $1 in
      --dir) DIR=$(mkdir -p "$2" && cd "$2" && pwd) ;;
      --port) PORT=$2 ;;
      --heap) HEAP=$2 ;;
      --tls) TLS=$(cd "$2" && pwd) ;;
      *) die "Unknown option $1; there are --dir, --port, --heap and --tls" ;;
    esac
    shift 2
  done
  mkdir -p "$DIR"
  PIDFILE=$DIR/$NAME.pid
  case $VERB in
    start)
      if pid_alive "$PIDFILE"; then
        engine_address
      else
        # The port of a process that was just killed stays open until its last thread is gone.
        wait_for "! port_open $PORT" 10 || die "Port $PORT is taken by somebody else"
        engine_start
        engine_address
      fi
      ;;
    stop) if declare -F engine_stop >/dev/null; then engine_stop; else stop_pid "$PIDFILE"; fi ;;
    kill) if declare -F engine_kill >/dev/null; then engine_kill; else kill_pid "$PIDFILE"; fi ;;
    status)
      pid_alive "$PIDFILE" || die "$NAME is not running in $DIR"
      engine_address
      ;;
    *) die "Usage: $0 start|stop|kill|status [--dir FOLDER] [--port PORT] [--heap MEGABYTES] [--tls FOLDER]" ;;
  esac
}
