/**
 * An invalid variable; the message is one sentence with its name, the valid values and the given
 * value.
 */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
