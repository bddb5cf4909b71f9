/** A server that cannot be fetched. The message says why, and what else works. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  constructor(
    message: string,
    /** Kind of the command's exit code. */
    readonly exit: 'notFound' | 'unavailable' = 'unavailable',
  ) {
    super(message);
  }
}
