#!/usr/bin/env bash
# An S3 server on loopback: versitygw over a folder, built with Go at the first start. Prints S3_ENDPOINT, S3_BUCKET (which
# is there), S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY when it is ready.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

VERSION=v1.8.0
BUCKET=footnote

build() {
  need go
  say "Building versitygw $VERSION, which takes a minute or two"
  GOBIN=$1 timeout 550 go install "github.com/versity/versitygw/cmd/versitygw@$VERSION" >&2
}

secret() {
  local file=$DIR/secret
  [ -s "$file" ] || (umask 077 && head -c 20 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$file")
  cat "$file"
}

engine_address() {
  echo "S3_ENDPOINT=http://127.0.0.1:$PORT"
  echo "S3_BUCKET=$BUCKET"
  echo "S3_ACCESS_KEY_ID=footnote"
  echo "S3_SECRET_ACCESS_KEY=$(secret)"
}

engine_start() {
  local cache=$(engine_dir versitygw)/$VERSION log=$DIR/s3.log
  once "$cache" build
  mkdir -p "$DIR/data/$BUCKET"
  export ROOT_ACCESS_KEY=footnote ROOT_SECRET_KEY
  ROOT_SECRET_KEY=$(secret)
  : >"$log"
  run_engine "$log" "$cache/versitygw" --quiet --keep-alive --port "127.0.0.1:$PORT" posix "$DIR/data"
  await_engine "port_open $PORT" 20 "$log"
}

engine_main s3 17070 "$@"
