import { homedir } from 'node:os';
import { join } from 'node:path';

/** The variables that the command line reads. */
export interface ClientVariables {
  /** `FOOTNOTE_URL`, which wins over contexts. */
  readonly url: string | undefined;
  /** `FOOTNOTE_API_KEY`, which wins over stored keys. */
  readonly apiKey: string | undefined;
  /** Folder of contexts and credentials. */
  readonly folder: string;
  /** Folder of fetched servers, and of the data of one that `up` starts. */
  readonly dataFolder: string;
  /** `FOOTNOTE_SERVER`: a tarball or npm specifier of the server in place of the published one. */
  readonly server: string | undefined;
  /** `DATA_DIR`, which a started server gets. */
  readonly dataDir: string | undefined;
  /** True if `NO_COLOR` is set: no color on a terminal. */
  readonly noColor: boolean;
}

/**
 * Reads the variables of the command line: `XDG_CONFIG_HOME` and `XDG_DATA_HOME` hold its folders.
 */
export function clientVariables(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ClientVariables {
  const config = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  const data = environment['XDG_DATA_HOME'] || join(homedir(), '.local/share');
  return {
    url: environment['FOOTNOTE_URL'] || undefined,
    apiKey: environment['FOOTNOTE_API_KEY'] || undefined,
    folder: join(config, 'footnote'),
    dataFolder: join(data, 'footnote'),
    server: environment['FOOTNOTE_SERVER'] || undefined,
    dataDir: environment['DATA_DIR'] || undefined,
    noColor: (environment['NO_COLOR'] ?? '') !== '',
  };
}

/** Returns the environment of a child process, with some variables in addition. */
export function childEnvironment(
  more: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...process.env, ...more };
}
