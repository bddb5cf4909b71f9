import { StageFailure } from '#contracts';
import { type BlobStore, type KeyRing, type Logger, mapBounded, newDataKey } from '#platform';

import { openPart, type PartHead, type PartOwner, readPartHead, sealPart } from './sealed-part.js';

/** Parts that one stage leaves for the next: sealed with the tenant's key, and of one job alone. */
export interface PartStore {
  /** @returns the name that the next stage reads it by. */
  put(plain: Uint8Array): Promise<string>;
  /**
   * Reads parts of earlier versions too, which are not sealed. @throws BlobNotFoundError,
   * BlobCorruptError.
   */
  get(hash: string): Promise<Uint8Array>;
}

/** Packs and manifests as a stage reads and writes them. */
export type StageBlobs = Pick<BlobStore, 'get' | 'has' | 'put'>;

export interface AttemptBlobsDependencies {
  readonly store: BlobStore;
  readonly keyRing: KeyRing;
  readonly logger: Logger;
  /**
   * Reports whether parts may be deleted; false while a backup copies the log and then the blobs
   * that it names.
   */
  readonly mayDelete: () => boolean;
  /** Reports that the attempt may have left a blob that no event names. */
  readonly onLeft: () => void;
}

/** The end of an attempt: `unknown` where the log may or may not have its outcome. */
export type AttemptEnd = 'succeeded' | 'failed' | 'unknown';

/** Deletions in flight at once. */
const DELETIONS = 8;
/** Parts of at most so many bytes stay in memory for the next stage of the same worker. */
const MAX_KEPT_BYTES = 1024 * 1024;

/**
 * The blob store as one attempt of a stage sees it. It writes nothing once the attempt was aborted.
 * So a worker that lost its lease, or whose source was removed, leaves no blob behind the cleanup.
 *
 * `close` deletes the parts that nobody needs any more: those that a failed attempt wrote, or that
 * a successful one read.
 *
 * Every part is in the store before `put` resolves. Small ones stay in memory too, so that a worker
 * which continues with the next stage does not read them back.
 */
export class AttemptBlobs {
  readonly parts: PartStore = {
    put: (plain) => this.putPart(plain),
    get: (hash) => this.getPart(hash),
  };
  readonly blobs: StageBlobs;
  /** Small parts that were written, by name. */
  readonly kept = new Map<string, Uint8Array>();
  private keptBytes = 0;
  private readonly written = new Set<string>();
  private readonly read = new Set<string>();
  private readonly inFlight = new Set<Promise<unknown>>();
  private readonly keys = new Map<string, Promise<string>>();
  private ownKey: Promise<{ readonly head: PartHead; readonly dataKey: string }> | undefined;
  private leftContent = false;
  private closed = false;

  /** @param given parts that the previous stage of this job kept in this process. */
  constructor(
    private readonly owner: PartOwner,
    private readonly signal: AbortSignal,
    private readonly dependencies: AttemptBlobsDependencies,
    private readonly given: ReadonlyMap<string, Uint8Array> = new Map(),
  ) {
    const { store } = dependencies;
    this.blobs = {
      get: (hash) => store.get(hash),
      has: (hash) => store.has(hash),
      put: (bytes) => {
        this.leftContent = true;
        return this.put(bytes);
      },
    };
  }

  /**
   * Ends all writing, waits for what is in flight, and deletes what nobody needs any more. Never
   * rejects.
   */
  async close(end: AttemptEnd): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.allSettled([...this.inFlight]);
    const unneeded = { succeeded: this.read, failed: this.written, unknown: [] }[end];
    const { store, logger, mayDelete, onLeft } = this.dependencies;
    let left = end === 'unknown' || (end === 'failed' && this.leftContent);
    await mapBounded([...unneeded], DELETIONS, new AbortController().signal, async (hash) => {
      if (!mayDelete()) return void (left = true);
      await store.delete(hash).catch((error: unknown) => {
        left = true;
        logger.warn(
          { err: error, blob: hash },
          'attempt blobs: a part was not deleted; collection deletes it',
        );
      });
    });
    if (left) onLeft();
  }

  private async putPart(plain: Uint8Array): Promise<string> {
    this.ownKey ??= this.newKey();
    const { head, dataKey } = await this.ownKey;
    const sealed = await sealPart(head, dataKey, plain);
    const hash = await this.put(sealed, this.written);
    this.keep(hash, plain);
    return hash;
  }

  private keep(hash: string, plain: Uint8Array): void {
    if (this.keptBytes + plain.byteLength > MAX_KEPT_BYTES) return;
    this.keptBytes += plain.byteLength;
    this.kept.set(hash, new Uint8Array(plain));
  }

  private async getPart(hash: string): Promise<Uint8Array> {
    const given = this.given.get(hash);
    if (given) {
      this.read.add(hash);
      // A copy: a stage may transfer its bytes to a thread.
      return new Uint8Array(given);
    }
    const bytes = await this.dependencies.store.get(hash);
    const head = readPartHead(bytes);
    if (!head) return bytes;
    if (head.tenant_id !== this.owner.tenant_id)
      throw new Error('A stage was given a part of another tenant');
    const opened = this.keys.get(head.key) ?? this.openKey(head);
    this.keys.set(head.key, opened);
    const plain = await openPart(bytes, await opened);
    if (head.job_id === this.owner.job_id) this.read.add(hash);
    return plain;
  }

  /**
   * @param record gets the name as soon as the store has the blob, whether or not anybody still
   * waits for it.
   */
  private async put(bytes: Uint8Array, record?: Set<string>): Promise<string> {
    this.throwIfOver();
    const work = this.dependencies.store.put(bytes).then(
      (hash) => {
        record?.add(hash);
        return hash;
      },
      (error: unknown) => {
        // The store may have it all the same.
        this.leftContent = true;
        throw error;
      },
    );
    this.inFlight.add(work);
    try {
      const hash = await work;
      this.throwIfOver();
      return hash;
    } finally {
      this.inFlight.delete(work);
    }
  }

  private throwIfOver(): void {
    this.signal.throwIfAborted();
    if (this.closed) throw new Error('The attempt is over; it writes no more blobs');
  }

  private async newKey(): Promise<{ readonly head: PartHead; readonly dataKey: string }> {
    const { keyRing } = this.dependencies;
    const dataKey = newDataKey();
    const key = await keyRing.seal(this.owner.tenant_id, keyContext(this.owner), dataKey);
    return { head: { ...this.owner, key }, dataKey };
  }

  private async openKey(head: PartHead): Promise<string> {
    const { keyRing } = this.dependencies;
    const dataKey = await keyRing.open(head.tenant_id, keyContext(head), head.key);
    if (dataKey !== null) return dataKey;
    const text =
      'Parts that an earlier stage left cannot be opened: their key is not in the key ring. Sync the source again';
    throw new StageFailure(text, false);
  }
}

function keyContext({ job_id }: PartOwner): string {
  return `part/${job_id}`;
}
