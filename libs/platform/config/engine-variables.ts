import {
  boolean,
  brokers,
  eventStoreUrl,
  httpUrl,
  integer,
  oneOf,
  postgresUrl,
  text,
} from './parsers.js';
import { optional, type Variable, variable } from './variable.js';

/** Engines on servers; each is enabled separately by its address. */
export const ENGINE_VARIABLES = {
  EVENTSTORE_URL: optional(
    eventStoreUrl,
    'EventStoreDB for the log, `esdb://user:password@host:2113?tls=true`; embedded if unset.',
    true,
  ),
  DATABASE_URL: optional(
    postgresUrl,
    'PostgreSQL for read models, key ring and leases, with the login of the service and `?sslmode=verify-full` for TLS; embedded if unset.',
    true,
  ),
  DATABASE_ADMIN_URL: optional(
    postgresUrl,
    'PostgreSQL with the login of the owner, for migrations; DATABASE_URL if unset.',
    true,
  ),
  DATABASE_POOL: variable(
    integer(2, 200),
    '10',
    'Maximum PostgreSQL connections of one process for read models.',
  ),
  OPENSEARCH_URL: optional(
    httpUrl,
    'OpenSearch with the k-NN plugin for the search index, `https://user:password@host:9200`; embedded if unset.',
    true,
  ),
  OPENSEARCH_INDEX_PREFIX: variable(text, 'footnote', 'Prefix of index names.'),
  OPENSEARCH_SHARDS: variable(integer(1, 1_024), '1', 'Shards of a newly created index.'),
  OPENSEARCH_REPLICAS: variable(integer(0, 16), '0', 'Replicas of a newly created index.'),
  KAFKA_BROKERS: optional(
    brokers,
    'Kafka for stage messages and the event feed, `host:9092,…`; embedded if unset.',
  ),
  KAFKA_TOPIC_PREFIX: variable(text, 'footnote.', 'Prefix of topic and group names.'),
  KAFKA_SSL: variable(
    boolean,
    'false',
    'Whether to use TLS for Kafka; set NODE_EXTRA_CA_CERTS for your own certificate authority.',
  ),
  KAFKA_SASL_MECHANISM: optional(
    oneOf('plain', 'scram-sha-256', 'scram-sha-512'),
    'Authentication mechanism for Kafka; no authentication if unset.',
  ),
  KAFKA_USERNAME: optional(text, 'User name for Kafka.'),
  KAFKA_PASSWORD: optional(text, 'Password for Kafka.', true),
  KAFKA_PARTITIONS: variable(
    integer(1, 10_000),
    '12',
    'Partitions of a newly created topic; permanent, to keep the order within a source.',
  ),
  KAFKA_REPLICATION: variable(integer(1, 16), '1', 'Replication factor of a newly created topic.'),
  S3_ENDPOINT: optional(httpUrl, 'S3 endpoint for blobs; files in DATA_DIR if unset.'),
  S3_BUCKET: variable(text, 'footnote', 'Bucket for blobs.'),
  S3_ACCESS_KEY_ID: optional(text, 'S3 access key ID.'),
  S3_SECRET_ACCESS_KEY: optional(text, 'S3 secret access key.', true),
  S3_REGION: variable(text, 'us-east-1', 'Region of the bucket.'),
} as const satisfies Readonly<Record<string, Variable<unknown>>>;
