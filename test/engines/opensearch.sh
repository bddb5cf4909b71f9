#!/usr/bin/env bash
# OpenSearch with the k-NN plugin as one node on loopback, from Maven's artefacts. Prints OPENSEARCH_URL=http://127.0.0.1:PORT
# when it is ready. Needs a JDK of 21 or newer (JAVA_HOME, the path, or /usr/lib/jvm), unzip, and Maven for the first start.
# The nodes' transport listens on PORT + 1. The server refuses root: started by root it runs as OPENSEARCH_USER (default
# nobody), who must be able to reach the instance folder. Heap by --heap or OPENSEARCH_HEAP, in megabytes (default 1024).
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

VERSION=3.5.0
SERVER_SHA256=b676ad392c95a94d8d2bd8785b8b922c7811536daf6a9ec0c7277a34bd8a17a9
KNN_SHA256=99fdf3ac9ef95974e276298b83a58532bf21ba13bd5fd96a4b59465b7e613309

# artefact COORDINATES FILE SHA256 FOLDER: fetches FILE into FOLDER and checks it.
artefact() {
  timeout 600 mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact="$1" -DoutputDirectory="$4" >&2
  echo "$3  $4/$2" | sha256sum --check --quiet >&2 || die "$2 is not the file that was expected"
}

fetch() {
  local into=$1
  need mvn
  need unzip
  say "Fetching OpenSearch $VERSION"
  artefact "org.opensearch.distribution.integ-test-zip:opensearch:$VERSION:zip" "opensearch-$VERSION.zip" \
    $SERVER_SHA256 "$into"
  artefact "org.opensearch.plugin:opensearch-knn:$VERSION.0:zip" "opensearch-knn-$VERSION.0.zip" $KNN_SHA256 "$into"
  unzip -q "$into/opensearch-$VERSION.zip" -x '*/modules/ingest-geoip/*' -d "$into"
  mv "$into/opensearch-$VERSION" "$into/home"
  unzip -q "$into/opensearch-knn-$VERSION.0.zip" -d "$into/home/plugins/opensearch-knn"
  rm "$into"/*.zip
  chmod -R a+rX "$into"
}

# java_21: prints a java of version 21 or newer, the first of JAVA_HOME, the path and /usr/lib/jvm.
java_21() {
  local java version
  for java in "${JAVA_HOME:-}/bin/java" "$(command -v java || true)" /usr/lib/jvm/*/bin/java; do
    [ -x "$java" ] || continue
    version=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
    [ "${version:-0}" -ge 21 ] && echo "$java" && return 0
  done
  die "A JDK of 21 or newer is needed; there is none in JAVA_HOME, on the path or in /usr/lib/jvm"
}

write_config() {
  mkdir -p "$DIR/config" "$DIR/data" "$DIR/logs" "$DIR/tmp"
  cp "$HOME_DIR/config/jvm.options" "$HOME_DIR/config/log4j2.properties" "$DIR/config/"
  cat >"$DIR/config/opensearch.yml" <<CONFIG
cluster.name: footnote-$PORT
node.name: node-1
network.host: 127.0.0.1
http.port: $PORT
transport.port: $((PORT + 1))
discovery.type: single-node
path.data: $DIR/data
path.logs: $DIR/logs
action.auto_create_index: false
cluster.routing.allocation.disk.threshold_enabled: false
bootstrap.system_call_filter: false
CONFIG
}

engine_address() { echo "OPENSEARCH_URL=http://127.0.0.1:$PORT"; }

engine_start() {
  local cache log=$DIR/opensearch.log heap=${HEAP:-${OPENSEARCH_HEAP:-1024}} java user=${OPENSEARCH_USER:-nobody} as=()
  cache=$(engine_dir opensearch)/$VERSION
  java=$(java_21)
  need curl
  once "$cache" fetch
  HOME_DIR=$cache/home
  write_config
  : >"$log"
  if [ "$(id -u)" = 0 ]; then
    need setpriv
    as=(setpriv "--reuid=$(id -u "$user")" "--regid=$(id -g "$user")" --clear-groups --no-new-privs)
    chown -R "$user" "$DIR/config" "$DIR/data" "$DIR/logs" "$DIR/tmp"
    "${as[@]}" test -r "$HOME_DIR/lib" -a -w "$DIR/data" ||
      die "User $user cannot reach $HOME_DIR and $DIR; choose folders with --dir and FOOTNOTE_ENGINES"
  fi
  cd "$HOME_DIR"
  run_engine "$log" "${as[@]}" "$java" "-Xms${heap}m" "-Xmx${heap}m" -Xss1m -XX:+UseG1GC \
    --add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED -javaagent:agent/opensearch-agent.jar \
    -Djava.io.tmpdir="$DIR/tmp" -Djna.tmpdir="$DIR/tmp" -Djna.nosys=true -Dopensearch.path.home="$HOME_DIR" \
    -Dopensearch.path.conf="$DIR/config" -Dopensearch.distribution.type=zip \
    -cp "$HOME_DIR/lib/*" org.opensearch.bootstrap.OpenSearch
  await_engine "curl -sf -m 5 'http://127.0.0.1:$PORT/_cluster/health?wait_for_status=yellow&timeout=2s'" 120 "$log"
}

engine_main opensearch 19200 "$@"
