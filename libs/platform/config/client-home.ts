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
  /** True if `NO_COLOR` is set: no color on a terminal. */
  readonly noColor: boolean;
}

/** Reads the variables of the command line: `XDG_CONFIG_HOME` holds its folder. */
export function clientVariables(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ClientVariables {
  const config = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return {
    url: environment['FOOTNOTE_URL'] || undefined,
    apiKey: environment['FOOTNOTE_API_KEY'] || undefined,
    folder: join(config, 'footnote'),
    noColor: (environment['NO_COLOR'] ?? '') !== '',
  };
}

/** Returns the environment of a child process, with some variables in addition. */
export function childEnvironment(
  more: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...process.env, ...more };
}
