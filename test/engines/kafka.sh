#!/usr/bin/env bash
# Kafka as one KRaft node on loopback, from Maven's artefacts. Prints KAFKA_BROKERS=127.0.0.1:PORT when it is ready; with
# --tls also who signs in, by any of PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512. The instance has to be new then.
# Needs Java 17 or newer, and Maven for the first start. The controller listens on PORT + 1.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

VERSION=4.3.1
LOG4J=2.25.4

fetch() {
  local into=$1
  need mvn
  say "Fetching Kafka $VERSION"
  mkdir "$into/libs"
  cat >"$into/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>kafka-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>$VERSION</version></dependency>
    <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>$LOG4J</version></dependency>
  </dependencies>
</project>
POM
  timeout 300 mvn -B -q -f "$into/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$into/libs" >&2
}

write_config() {
  cat >"$DIR/server.properties" <<CONFIG
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$((PORT + 1))
listeners=CLIENTS://127.0.0.1:$PORT,CONTROLLER://127.0.0.1:$((PORT + 1))
advertised.listeners=CLIENTS://127.0.0.1:$PORT
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENTS
listener.security.protocol.map=CLIENTS:$([ -n "$TLS" ] && echo SASL_SSL || echo PLAINTEXT),CONTROLLER:PLAINTEXT
log.dirs=$DIR/data
auto.create.topics.enable=false
default.replication.factor=1
min.insync.replicas=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=8
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=8
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=8
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
# A broker that was killed is let in again after 2 s instead of 9 s.
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
CONFIG
  [ -z "$TLS" ] || secure >>"$DIR/server.properties"
  cat >"$DIR/log4j2.xml" <<'LOGGING'
<Configuration status="ERROR">
  <Appenders><Console name="out"><PatternLayout pattern="%d %p %m (%c{1})%n%throwable"/></Console></Appenders>
  <Loggers><Root level="INFO"><AppenderRef ref="out"/></Root></Loggers>
</Configuration>
LOGGING
}

secret() {
  local file=$DIR/secret
  [ -s "$file" ] || (umask 077 && head -c 20 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$file")
  cat "$file"
}

secure() {
  local login="required username=\"footnote\" password=\"$(secret)\"" security=org.apache.kafka.common.security
  (umask 077 && cat "$TLS/server.key" "$TLS/server.pem" >"$DIR/keystore.pem")
  cat <<CONFIG
ssl.keystore.type=PEM
ssl.keystore.location=$DIR/keystore.pem
ssl.truststore.type=PEM
ssl.truststore.location=$TLS/ca.pem
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.clients.plain.sasl.jaas.config=$security.plain.PlainLoginModule $login user_footnote="$(secret)";
listener.name.clients.scram-sha-256.sasl.jaas.config=$security.scram.ScramLoginModule required;
listener.name.clients.scram-sha-512.sasl.jaas.config=$security.scram.ScramLoginModule required;
CONFIG
}

java_in() { java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dlog4j2.configurationFile="$DIR/log4j2.xml" -cp "$LIBS" "$@"; }

engine_address() {
  echo "KAFKA_BROKERS=127.0.0.1:$PORT"
  [ -n "$TLS" ] || return 0
  echo "KAFKA_SSL=true"
  echo "KAFKA_SASL_MECHANISM=scram-sha-512"
  echo "KAFKA_USERNAME=footnote"
  echo "KAFKA_PASSWORD=$(secret)"
}

engine_start() {
  local cache=$(engine_dir kafka)/$VERSION heap=${HEAP:-512} log=$DIR/kafka.log users=() mechanism
  need java
  once "$cache" fetch
  LIBS="$cache/libs/*"
  write_config
  if [ ! -e "$DIR/data/meta.properties" ]; then
    for mechanism in ${TLS:+SCRAM-SHA-256 SCRAM-SHA-512}; do
      users+=(--add-scram "$mechanism=[name=footnote,password=$(secret)]")
    done
    java_in kafka.tools.StorageTool format -t "$(java_in kafka.tools.StorageTool random-uuid 2>/dev/null | tail -n 1)" \
      -c "$DIR/server.properties" "${users[@]}" >"$log" 2>&1 || die "The data folder could not be made; see $log"
  fi
  : >"$log"
  run_engine "$log" java -Xms128m -Xmx"$heap"m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    -Dlog4j2.configurationFile="$DIR/log4j2.xml" -cp "$LIBS" kafka.Kafka "$DIR/server.properties"
  await_engine "grep -q 'Kafka Server started' '$log' && port_open $PORT" 60 "$log"
}

engine_main kafka 19092 "$@"
