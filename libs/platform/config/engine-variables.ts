import { boolean, brokers, eventStoreUrl, httpUrl, integer, oneOf, postgresUrl, text } from './parsers.js';
import { optional, variable, type Variable } from './variable.js';

/** The engines on servers of their own; each is chosen alone, by its address. */
export const ENGINE_VARIABLES = {
  EVENTSTORE_URL: optional(
    eventStoreUrl,
    'EventStoreDB that keeps the log, `esdb://user:password@host:2113?tls=true`; embedded when unset.',
    true,
  ),
  DATABASE_URL: optional(
    postgresUrl,
    "PostgreSQL for read models, key ring and leases, as the application's role, with `?sslmode=verify-full` for TLS; embedded when unset.",
    true,
  ),
  DATABASE_ADMIN_URL: optional(postgresUrl, "The owner's login, for migrations; DATABASE_URL when unset.", true),
  DATABASE_POOL: variable(integer(2, 200), '10', 'Connections to PostgreSQL that one process holds at most.'),
  OPENSEARCH_URL: optional(
    httpUrl,
    'OpenSearch with the k-NN plugin for the search index, `https://user:password@host:9200`; embedded when unset.',
    true,
  ),
  OPENSEARCH_INDEX_PREFIX: variable(text, 'footnote', 'What the names of its indexes begin with.'),
  OPENSEARCH_SHARDS: variable(integer(1, 1_024), '1', 'Shards of an index that is made anew.'),
  OPENSEARCH_REPLICAS: variable(integer(0, 16), '0', 'Replicas of an index that is made anew.'),
  KAFKA_BROKERS: optional(brokers, 'Kafka for stage messages and the event feed, `host:9092,…`; embedded when unset.'),
  KAFKA_TOPIC_PREFIX: variable(text, 'footnote.', 'What the names of topics and groups begin with.'),
  KAFKA_SSL: variable(boolean, 'false', 'Talks TLS to Kafka; NODE_EXTRA_CA_CERTS names an authority of your own.'),
  KAFKA_SASL_MECHANISM: optional(
    oneOf('plain', 'scram-sha-256', 'scram-sha-512'),
    'How to sign in to Kafka; nobody signs in when unset.',
  ),
  KAFKA_USERNAME: optional(text, 'Who signs in to Kafka.'),
  KAFKA_PASSWORD: optional(text, 'With what.', true),
  KAFKA_PARTITIONS: variable(
    integer(1, 10_000),
    '12',
    'Partitions of a topic that is made anew; fixed for good, for the order within a source.',
  ),
  KAFKA_REPLICATION: variable(integer(1, 16), '1', 'Copies of a topic that is made anew.'),
  S3_ENDPOINT: optional(httpUrl, 'S3 for blobs; files in DATA_DIR when unset.'),
  S3_BUCKET: variable(text, 'footnote', 'Bucket of the blobs.'),
  S3_ACCESS_KEY_ID: optional(text, 'Access key of S3.'),
  S3_SECRET_ACCESS_KEY: optional(text, 'Its secret.', true),
  S3_REGION: variable(text, 'us-east-1', 'Region of the bucket.'),
} as const satisfies Readonly<Record<string, Variable<unknown>>>;
