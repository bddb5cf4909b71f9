/**
 * Content-addressed, immutable bytes. A blob's name is the lower-case hex SHA-256 of its bytes.
 * Writing the same bytes again changes nothing but the time of the last write; a blob is whole and
 * durable when `put` resolves, and never seen half written.
 */
export interface BlobStore {
  /**
   * A blob whose stored bytes do not match its name is written anew.
   * @returns the blob's hash. @throws FootnoteError `storage_full`, `engine_unavailable`.
   */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * @throws BlobNotFoundError when there is no such blob; BlobCorruptError when its bytes do not
   * match its name.
   */
  get(hash: string): Promise<Uint8Array>;
  /**
   * Returns the first bytes of a blob, at most `length`, for readers that recognize what a blob is
   * by its head. The bytes are not compared with the name. @throws BlobNotFoundError when there is
   * no such blob.
   */
  readStart(hash: string, length: number): Promise<Uint8Array>;
  /** Whether there is something under the name; its bytes are not looked at. */
  has(hash: string): Promise<boolean>;
  delete(hash: string): Promise<void>;
  /**
   * Deletes a blob that was last written before a time (milliseconds since the epoch). Beside a
   * `put` of the same bytes either the put comes first, and the blob stays, or the deletion does,
   * and the put writes it anew: what `put` has returned is there.
   * @returns whether it was deleted.
   */
  deleteIfOlder(hash: string, before: number): Promise<boolean>;
  /**
   * Every blob with the time it was last written (milliseconds since the epoch) and its size, for
   * backup and collection.
   */
  list(): AsyncIterable<{
    readonly hash: string;
    readonly modifiedAt: number;
    readonly size: number;
  }>;
}

/** Injection token of the port. */
export const BLOB_STORE = Symbol('BlobStore');

/** Whether a store has no blob. */
export async function isEmptyStore(store: Pick<BlobStore, 'list'>): Promise<boolean> {
  for await (const blob of store.list()) if (blob.hash) return false;
  return true;
}
