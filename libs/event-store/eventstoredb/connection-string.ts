/** What the client reads behind the `?`; it takes any case, and `-` and `_` anywhere. */
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
 * Refuses what the client would ignore with a warning that quotes the whole string, password
 * included, and what turns off what the adapter needs.
 * @throws RangeError that names no value.
 */
export function checkConnectionString(url: string): void {
  if (!/^esdb(\+discover)?:\/\//.test(url)) {
    throw new RangeError('The address of an EventStoreDB begins with esdb:// or esdb+discover://');
  }
  for (const [name, value] of optionsOf(url)) {
    if (!OPTIONS.has(name)) throw new RangeError(`EventStoreDB's client has no option ${name}`);
    if (name === flat('throwOnAppendFailure') && value === 'false') {
      throw new RangeError(
        'throwOnAppendFailure=false loses the revision of a conflict; leave it out',
      );
    }
    if (name === flat('tlsVerifyCert') && value === 'false') {
      throw new RangeError(
        "EventStoreDB's client checks certificates always; tlsCAFile names your authority",
      );
    }
  }
}

/** Whether the string turns TLS off, which the client speaks by itself. */
export function turnsTlsOff(url: string): boolean {
  return optionsOf(url).some(([name, value]) => name === 'tls' && value === 'false');
}

/** Whether credentials stand in a string that turns TLS off: the client does not send them then. */
export function dropsCredentials(url: string): boolean {
  return CREDENTIALS.test(url) && turnsTlsOff(url);
}

/** The hosts that a string names, without what is secret in it. */
export function hostsOf(url: string): readonly { readonly host: string; readonly port: number }[] {
  const [, names = ''] = /^[^:]+:\/\/([^/?]*)/.exec(url.replace(CREDENTIALS, 'esdb://')) ?? [];
  return names.split(',').map((name) => {
    const [host = '', port = DEFAULT_PORT] = name.trim().split(':');
    return { host, port: Number(port) };
  });
}

/** What logs and errors call the log: its server's hosts. */
export function logName(url: string): string {
  return `EventStoreDB at ${hostsOf(url)
    .map(({ host, port }) => `${host}:${port}`)
    .join(', ')}`;
}

/**
 * The same address without discovery: its first host alone, which is asked what is wrong when
 * nothing is discovered.
 */
export function firstHost(url: string): string {
  const [credentials = ''] = CREDENTIALS.exec(url) ?? [];
  const address = url.slice(credentials.length).replace(/,[^/?]*/, '');
  return `${credentials}${address}`.replace(/^esdb\+discover:/, 'esdb:');
}

/**
 * What the client failed with when it read the string: its own error carries the string, and quotes
 * from it.
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
      `EventStoreDB's address is malformed at character ${String(from)}, where ${String(error.expected)} is expected; user and password are percent-encoded`,
    );
  }
  return new RangeError(
    `EventStoreDB's address cannot be used: ${error instanceof Error ? error.message : 'unknown'}`,
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
