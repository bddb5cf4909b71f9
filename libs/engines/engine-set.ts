import { type Config, ConfigError } from '#platform';

/**
 * The servers that engines may be on, by the setting that holds their address, and its variable.
 */
export const SERVERS = {
  eventStore: { name: 'EventStoreDB', variable: 'EVENTSTORE_URL' },
  postgres: { name: 'PostgreSQL', variable: 'DATABASE_URL' },
  openSearch: { name: 'OpenSearch', variable: 'OPENSEARCH_URL' },
  kafka: { name: 'Kafka', variable: 'KAFKA_BROKERS' },
  s3: { name: 'S3', variable: 'S3_ENDPOINT' },
} as const satisfies Record<
  keyof Config['engines'],
  { readonly name: string; readonly variable: string }
>;

export type ServerName = keyof typeof SERVERS;

/**
 * The variables that are unset: their engines live in DATA_DIR, which then has one owner process.
 */
export function embeddedEngines({ engines }: Pick<Config, 'engines'>): readonly string[] {
  return Object.entries(SERVERS)
    .filter(([server]) => engines[server as ServerName] === undefined)
    .map(([, { variable }]) => variable);
}

/** Several processes share nothing but servers. @throws ConfigError naming what is missing. */
export function requireServers(config: Pick<Config, 'engines'>, processName: string): void {
  const missing = embeddedEngines(config);
  if (missing.length === 0) return;
  throw new ConfigError(
    `${missing.join(', ')} must be set: the ${processName} as a separate process needs all engines on servers; ` +
      'use `npm start` to run everything in one process',
  );
}
