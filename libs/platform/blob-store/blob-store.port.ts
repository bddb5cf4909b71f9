export interface PutOptions {
  /**
   * False for a blob that can be made again: a power failure may then lose or damage it, the end of
   * this process may not. Saves two waits for the disk. Default true.
   */
  readonly durable?: boolean;
}

/**
 * Content-addressed, immutable bytes. A blob's name is the lower-case hex SHA-256 of its bytes.
 * Writing the same bytes again changes only the time of the last write. A blob is complete and,
 * unless its writer waives that, durable when `put` resolves, and never visible partly.
 */
export interface BlobStore {
  /**
   * Stores a blob; rewrites one whose stored bytes do not match its name.
   * @returns the blob's hash.
   * @throws FootnoteError `storage_full`, `engine_unavailable`.
   */
  put(bytes: Uint8Array, options?: PutOptions): Promise<string>;
  /**
   * @throws BlobNotFoundError if it is missing; BlobCorruptError if its bytes do not match its
   * name.
   */
  get(hash: string): Promise<Uint8Array>;
  /**
   * Returns the first bytes of a blob, at most `length`, for readers that recognize what a blob is
   * by its head. The bytes are not compared with the name.
   * @throws BlobNotFoundError if it is missing.
   */
  readStart(hash: string, length: number): Promise<Uint8Array>;
  /** Reports whether a blob of this name exists, without reading its bytes. */
  has(hash: string): Promise<boolean>;
  delete(hash: string): Promise<void>;
  /**
   * Deletes a blob that was last written before a time (milliseconds since the epoch). A concurrent
   * `put` of the same bytes either comes first, and the blob stays, or writes it again. So a blob
   * that `put` returned always exists.
   * @returns whether it was deleted.
   */
  deleteIfOlder(hash: string, before: number): Promise<boolean>;
  /**
   * Returns every blob with the time of its last write (milliseconds since the epoch) and its size,
   * for backup and collection.
   */
  list(): AsyncIterable<{
    readonly hash: string;
    readonly modifiedAt: number;
    readonly size: number;
  }>;
}

/** Injection token of the port. */
export const BLOB_STORE = Symbol('BlobStore');

/** Reports whether a store has no blob. */
export async function isEmptyStore(store: Pick<BlobStore, 'list'>): Promise<boolean> {
  for await (const blob of store.list()) if (blob.hash) return false;
  return true;
}
