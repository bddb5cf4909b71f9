import type { CloudEvent } from '#contracts';

/**
 * The public feed of events. At least once: whoever reads it knows a repeated event by its id, and
 * an event may be repeated after newer ones when the brokers failed in between. Events of one
 * tenant are in the order of the log otherwise.
 */
export interface EventFeed {
  /**
   * Resolves when every replica in sync has the events. @throws FootnoteError `engine_unavailable`:
   * some may be out, and publishing all of them again is right.
   */
  publish(events: readonly CloudEvent[]): Promise<void>;
  /**
   * What was saved last, by whichever process; null when nothing was. @throws FootnoteError
   * `engine_unavailable`
   */
  loadCheckpoint(): Promise<string | null>;
  /** Keeps how far the log is published. @throws FootnoteError `engine_unavailable` */
  saveCheckpoint(position: string): Promise<void>;
  close(): Promise<void>;
}
