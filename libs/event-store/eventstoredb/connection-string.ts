/** Options that the client reads after the `?`, in any case and with `-` and `_` anywhere. */
const OPTIONS = new Set(
  [
    ...[
      'tls',
      'tlsCAFile',
      'userCertFile',
      'userKeyFile',
      'tlsVerifyCert',
      'throwOnAppendFailure',
      'connectionName',
    ],
    ...['defaultDeadline', 'keepAliveInterval', 'keepAliveTimeout'],
    ...['maxDiscoverAttempts', 'discoveryInterval', 'gossipTimeout', 'nodePreference'],
  ].map(flat),
);

/**
 * Rejects options that the client would ignore with a warning that quotes the whole string,
 * password included. Also rejects options that turn off what the adapter needs.
 * @throws RangeError that contains no value.
 */
export function checkConnectionString(url: string): void {
  if (!/^esdb(\+discover)?:\/\//.test(url)) {
    throw new RangeError(
      'The address of an EventStoreDB must begin with esdb:// or esdb+discover://',
    );
  }
  for (const [name, value] of optionsOf(url)) {
    if (!OPTIONS.has(name)) throw new RangeError(`The EventStoreDB client has no option ${name}`);
    if (name === flat('throwOnAppendFailure') && value === 'false') {
      throw new RangeError(
        'throwOnAppendFailure must not be false, since it loses the revision of a conflict; remove it',
      );
    }
    if (name === flat('tlsVerifyCert') && value === 'false') {
      throw new RangeError(
        'The EventStoreDB client always checks certificates; tlsCAFile names your authority',
      );
    }
  }
}

/** Reports whether the string turns TLS off; otherwise the client uses TLS. */
export function turnsTlsOff(url: string): boolean {
  return optionsOf(url).some(([name, value]) => name === 'tls' && value === 'false');
}

/**
 * Reports whether a string that turns TLS off contains credentials, which the client then does not
 * send.
 */
export function dropsCredentials(url: string): boolean {
  return CREDENTIALS.test(url) && turnsTlsOff(url);
}

/** Returns the hosts of a connection string, without its secrets. */
export function hostsOf(url: string): readonly { readonly host: string; readonly port: number }[] {
  const [, names = ''] = /^[^:]+:\/\/([^/?]*)/.exec(url.replace(CREDENTIALS, 'esdb://')) ?? [];
  return names.split(',').map((name) => {
    const [host = '', port = DEFAULT_PORT] = name.trim().split(':');
    return { host, port: Number(port) };
  });
}

/** Returns the name of the log for log lines and errors: the hosts of its server. */
export function logName(url: string): string {
  return `EventStoreDB at ${hostsOf(url)
    .map(({ host, port }) => `${host}:${port}`)
    .join(', ')}`;
}

/**
 * Returns the same address without discovery: its first host alone, which is asked for the reason
 * if discovery fails.
 */
export function firstHost(url: string): string {
  const [credentials = ''] = CREDENTIALS.exec(url) ?? [];
  const address = url.slice(credentials.length).replace(/,[^/?]*/, '');
  return `${credentials}${address}`.replace(/^esdb\+discover:/, 'esdb:');
}

/**
 * Returns an error without secrets for a string that the client could not parse. The client's own
 * error contains and quotes the string.
 */
export function malformed(error: unknown): RangeError {
  if (
    error instanceof Error &&
    'location' in error &&
    'expected' in error &&
    Array.isArray(error.location)
  ) {
    const [from] = error.location as readonly unknown[];
    return new RangeError(
      `The address of EventStoreDB is malformed at character ${String(from)}, where ${String(error.expected)} is expected; percent-encode user and password`,
    );
  }
  return new RangeError(
    `The address of EventStoreDB cannot be used: ${error instanceof Error ? error.message : 'unknown'}`,
  );
}

const DEFAULT_PORT = '2113';
const CREDENTIALS = /^[^:]+:\/\/[^:]+:[^@]+@/;

function optionsOf(url: string): readonly (readonly [name: string, value: string])[] {
  const address = url.replace(CREDENTIALS, '');
  const query = address.includes('?') ? address.slice(address.indexOf('?') + 1) : '';
  return [...new URLSearchParams(query)].map(
    ([name, value]) => [flat(name), value.trim()] as const,
  );
}

function flat(name: string): string {
  return name.trim().toLowerCase().replace(/[_-]/g, '');
}
