import { ConfigError } from './config-error.js';

/** Address of the service and credentials of a client of its API. */
export interface ClientEnvironment {
  /** Without a path's last slash. */
  readonly url: string;
  readonly apiKey: string;
}

const DEFAULT_URL = 'http://localhost:8080';

/**
 * Reads `FOOTNOTE_URL` and `FOOTNOTE_API_KEY`. A key is never an argument: the list of processes
 * shows arguments.
 * @throws ConfigError for a missing key and an invalid URL.
 */
export function clientEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ClientEnvironment {
  const url = environment['FOOTNOTE_URL'] ?? DEFAULT_URL;
  const apiKey = environment['FOOTNOTE_API_KEY'];
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ConfigError(`FOOTNOTE_URL must be an http or https URL (got "${url.slice(0, 200)}")`);
  if (apiKey === undefined || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new ConfigError('FOOTNOTE_API_KEY must be an API key of the service');
  return { url: url.replace(/\/$/, ''), apiKey };
}
