/** A place that keeps files until a date, and where nobody can delete or replace them before. */
export interface LockedCopies {
  /** Name of the place, such as that of a bucket. */
  readonly place: string;
  /**
   * Stores a file; resolves when it is durable and locked. Safe to repeat: another file of the same
   * key replaces none, the place keeps both.
   * @throws FootnoteError `engine_unavailable`; Error if the place does not lock files.
   */
  put(key: string, bytes: Uint8Array, until: Date): Promise<void>;
}
