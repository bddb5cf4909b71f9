import { ConfigError, type Config } from '#platform';

/** The variable whose address puts each engine on a server. */
const ADDRESSES = {
  eventStore: 'EVENTSTORE_URL',
  postgres: 'DATABASE_URL',
  openSearch: 'OPENSEARCH_URL',
  kafka: 'KAFKA_BROKERS',
  s3: 'S3_ENDPOINT',
} as const satisfies Record<keyof Config['engines'], string>;

/** The variables that are unset: their engines live in DATA_DIR, which then has one owner process. */
export function embeddedEngines({ engines }: Pick<Config, 'engines'>): readonly string[] {
  return Object.entries(ADDRESSES)
    .filter(([engine]) => engines[engine as keyof typeof ADDRESSES] === undefined)
    .map(([, variable]) => variable);
}

/** Several processes share nothing but servers. @throws ConfigError naming what is missing. */
export function requireServers(config: Pick<Config, 'engines'>, processName: string): void {
  const missing = embeddedEngines(config);
  if (missing.length === 0) return;
  throw new ConfigError(
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} unset, but the ${processName} as a process of its own ` +
      'needs every engine on a server; npm start runs everything in one process.',
  );
}
