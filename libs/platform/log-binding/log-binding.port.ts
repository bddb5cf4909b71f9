import { isUuid } from '../ids/ids.js';

/**
 * Identifies an event log: a UUID derived from its first event, so that each copy of the log has
 * the same.
 */
export type LogId = string & { readonly __logId: unique symbol };

/**
 * The log that a store's content belongs to. It is stored with the content: a copied or restored
 * store contains it, an emptied one does not, and no rebuild or collection touches it. All methods
 * fail with `engine_unavailable` if the server of the store is unavailable.
 */
export interface LogBinding {
  /**
   * Returns the last bound log; null if the store was never bound.
   * @throws Error for an invalid record.
   */
  boundTo(): Promise<LogId | null>;
  /**
   * Binds the store, whatever its previous log. Durable, and visible to every process, when it
   * resolves.
   */
  bind(log: LogId): Promise<void>;
  /**
   * Reports whether the store contains nothing that came from a log. The binding itself does not
   * count.
   */
  isEmpty(): Promise<boolean>;
}

/** A store that knows its log. */
export interface BoundToLog {
  readonly logBinding: LogBinding;
}

/**
 * @param place origin of the text, for the message.
 * @throws Error if the text is not a log id.
 */
export function parseLogId(text: string, place: string): LogId {
  const id = text.trim();
  if (!isUuid(id)) throw new Error(`${place} must contain the UUID of its log (got another text)`);
  return id as LogId;
}
