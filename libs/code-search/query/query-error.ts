/** A query that cannot be read. */
export class QueryError extends Error {
  override readonly name = 'QueryError';

  /**
   * @param message the problem and its remedy, as the end of a sentence about the query.
   * @param position of the problem in characters from 0.
   */
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}
