/** A variable that cannot be used; the message is one sentence that names it, what it got and what it takes. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
