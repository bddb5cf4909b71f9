/**
 * Delivers the progress of projections in other processes, so that waiting callers are woken
 * instead of polling.
 */
export interface ProgressSignals {
  /**
   * True while signals arrive. One may still be lost, so waiting callers also poll occasionally.
   */
  readonly live: boolean;
  /** Starts listening; has no effect if already started. */
  start(): void;
}
