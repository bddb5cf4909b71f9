import { type Config, ConfigError } from '#platform';

/**
 * The servers that engines may be on, by the setting that contains their address, and its variable.
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

/** Returns the unset variables: their engines are in DATA_DIR, which then has one owner process. */
export function embeddedEngines({ engines }: Pick<Config, 'engines'>): readonly string[] {
  return Object.entries(SERVERS)
    .filter(([server]) => engines[server as ServerName] === undefined)
    .map(([, { variable }]) => variable);
}

/**
 * Checks that all engines are on servers, which several processes need.
 * @throws ConfigError with the missing variables.
 */
export function requireServers(config: Pick<Config, 'engines'>, processName: string): void {
  const missing = embeddedEngines(config);
  if (missing.length === 0) return;
  throw new ConfigError(
    `${missing.join(', ')} must be set: the ${processName} as a separate process needs all engines on servers; ` +
      'use `npm start` to run everything in one process',
  );
}
