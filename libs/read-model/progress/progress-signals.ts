/**
 * Brings the progress of projections that other processes keep, so that who waits for one is woken
 * rather than polls.
 */
export interface ProgressSignals {
  /** True while signals come. One may still be lost: who waits looks now and then. */
  readonly live: boolean;
  /** Begins to listen; again changes nothing. */
  start(): void;
}
