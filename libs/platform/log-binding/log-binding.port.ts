import { isUuid } from '../ids/ids.js';

/**
 * Tells an event log from every other one: a UUID derived from its first event, so that each copy
 * of the log has the same.
 */
export type LogId = string & { readonly __logId: unique symbol };

/**
 * Which log a store's content belongs to. It is kept where the content is, and as long: whoever
 * copies or puts back the store as a whole brings it along, whoever empties it takes it away, and
 * no rebuild or collection touches it. All fail with `engine_unavailable` when the store is on a
 * server that is away.
 */
export interface LogBinding {
  /**
   * The log that the store was bound to last; null when it never was. @throws Error for a record
   * that names no log.
   */
  boundTo(): Promise<LogId | null>;
  /**
   * Binds the store, whatever it was bound to before. Durable, and seen by every process, when it
   * resolves.
   */
  bind(log: LogId): Promise<void>;
  /** Whether the store holds nothing that came out of a log. The binding itself is no content. */
  isEmpty(): Promise<boolean>;
}

/** A store that knows its log. */
export interface BoundToLog {
  readonly logBinding: LogBinding;
}

/**
 * @param place what the text was read from, for the sentence. @throws Error when the text names no
 * log.
 */
export function parseLogId(text: string, place: string): LogId {
  const id = text.trim();
  if (!isUuid(id))
    throw new Error(`${place} does not name the log that it belongs to: it holds no UUID`);
  return id as LogId;
}
