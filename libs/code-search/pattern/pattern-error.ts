/**
 * An expression that cannot be used. Recognized by its name, which survives the transfer between
 * threads.
 */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  /**
   * @param position of the problem in characters from 0; undefined if it has none.
   * @param message the problem and its remedy, as the end of a sentence about the pattern.
   */
  constructor(
    message: string,
    readonly position?: number,
  ) {
    super(message);
  }
}
