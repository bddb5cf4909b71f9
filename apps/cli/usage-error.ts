/** A call of the command line that cannot work: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
