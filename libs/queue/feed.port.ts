import type { CloudEvent } from '#contracts';

/**
 * The public feed of events. At least once: readers recognize a repeated event by its id. After a
 * failure of the brokers, an event may be repeated after newer ones. Otherwise, events of one
 * tenant are in log order.
 */
export interface EventFeed {
  /**
   * Resolves when every in-sync replica has the events.
   * @throws FootnoteError `engine_unavailable`: some may be published; publish all of them again.
   */
  publish(events: readonly CloudEvent[]): Promise<void>;
  /**
   * Returns the last saved checkpoint, of any process; null if there is none.
   * @throws FootnoteError `engine_unavailable`.
   */
  loadCheckpoint(): Promise<string | null>;
  /**
   * Saves the position up to which the log is published.
   * @throws FootnoteError `engine_unavailable`.
   */
  saveCheckpoint(position: string): Promise<void>;
  close(): Promise<void>;
}
