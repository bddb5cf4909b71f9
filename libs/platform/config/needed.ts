import { ConfigError } from './config-error.js';

/** Returns a value that another variable requires. @throws ConfigError if it is not set. */
export function needed(name: string, value: string | undefined, because: string): string {
  if (value === undefined) throw new ConfigError(`${name} is required when ${because} is set`);
  return value;
}
