/**
 * An expression that cannot be used. Recognized by its name, which survives the transfer between
 * threads.
 */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  /**
   * @param position of the problem in characters from 0; undefined if it has none.
   * @param message the problem and its remedy, as the end of a sentence about the pattern.
   * @param mayBeText true if the author may have meant the text itself; the caller adds the remedy,
   * which depends on its request.
   */
  constructor(
    message: string,
    readonly position?: number,
    readonly mayBeText = false,
  ) {
    super(message);
  }
}
