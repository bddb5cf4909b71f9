/** Receives the text of an answer, part by part. */
export interface TextSink {
  /**
   * Takes a part, which ends with a line.
   * @param files that begin in it.
   */
  write(text: Uint8Array, files: number): void;
  /** Waits until there is room for more, at most until the deadline. */
  room(deadline: AbortSignal): Promise<void> | void;
}
