import { ConfigError } from './config-error.js';
import type { ENGINE_VARIABLES } from './engine-variables.js';
import { needed } from './needed.js';

type Values = {
  readonly [Name in keyof typeof ENGINE_VARIABLES]: ReturnType<
    (typeof ENGINE_VARIABLES)[Name]['parse']
  >;
};
/** Optional variables that are unset have no value. */
type Given = { readonly [Name in keyof Values]: Values[Name] | undefined };

/** The location of each engine; an engine without an address is embedded. */
export interface EngineSettings {
  /** Connection string of EventStoreDB. */
  readonly eventStore: string | undefined;
  readonly postgres:
    | { readonly url: string; readonly adminUrl: string | undefined; readonly poolSize: number }
    | undefined;
  readonly openSearch:
    | {
        readonly url: string;
        readonly indexPrefix: string;
        readonly shards: number;
        readonly replicas: number;
      }
    | undefined;
  readonly kafka:
    | {
        readonly brokers: readonly string[];
        readonly topicPrefix: string;
        readonly ssl: boolean;
        readonly sasl:
          | {
              readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
              readonly username: string;
              readonly password: string;
            }
          | undefined;
        readonly partitions: number;
        readonly replication: number;
      }
    | undefined;
  readonly s3:
    | {
        readonly endpoint: string;
        readonly bucket: string;
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
        readonly region: string;
      }
    | undefined;
}

/**
 * Groups the variables by engine.
 * @throws ConfigError if a required variable is missing.
 */
export function engineSettings(values: Given): EngineSettings {
  return {
    eventStore: values.EVENTSTORE_URL,
    postgres:
      values.DATABASE_URL === undefined
        ? undefined
        : {
            url: values.DATABASE_URL,
            adminUrl: values.DATABASE_ADMIN_URL,
            poolSize: values.DATABASE_POOL ?? 10,
          },
    openSearch:
      values.OPENSEARCH_URL === undefined
        ? undefined
        : {
            url: values.OPENSEARCH_URL,
            indexPrefix: values.OPENSEARCH_INDEX_PREFIX ?? 'footnote',
            shards: values.OPENSEARCH_SHARDS ?? 1,
            replicas: values.OPENSEARCH_REPLICAS ?? 0,
          },
    kafka: kafka(values),
    s3: s3(values),
  };
}

function kafka(values: Given): EngineSettings['kafka'] {
  if (values.KAFKA_BROKERS === undefined) return undefined;
  const mechanism = values.KAFKA_SASL_MECHANISM;
  if (mechanism === undefined && (values.KAFKA_USERNAME ?? values.KAFKA_PASSWORD) !== undefined) {
    throw new ConfigError(
      'KAFKA_SASL_MECHANISM is required when KAFKA_USERNAME or KAFKA_PASSWORD is set',
    );
  }
  return {
    brokers: values.KAFKA_BROKERS,
    topicPrefix: values.KAFKA_TOPIC_PREFIX ?? 'footnote.',
    ssl: values.KAFKA_SSL ?? false,
    sasl: mechanism && {
      mechanism,
      username: needed('KAFKA_USERNAME', values.KAFKA_USERNAME, 'KAFKA_SASL_MECHANISM'),
      password: needed('KAFKA_PASSWORD', values.KAFKA_PASSWORD, 'KAFKA_SASL_MECHANISM'),
    },
    partitions: values.KAFKA_PARTITIONS ?? 12,
    replication: values.KAFKA_REPLICATION ?? 1,
  };
}

function s3(values: Given): EngineSettings['s3'] {
  if (values.S3_ENDPOINT === undefined) return undefined;
  return {
    endpoint: values.S3_ENDPOINT,
    bucket: values.S3_BUCKET ?? 'footnote',
    accessKeyId: needed('S3_ACCESS_KEY_ID', values.S3_ACCESS_KEY_ID, 'S3_ENDPOINT'),
    secretAccessKey: needed('S3_SECRET_ACCESS_KEY', values.S3_SECRET_ACCESS_KEY, 'S3_ENDPOINT'),
    region: values.S3_REGION ?? 'us-east-1',
  };
}
