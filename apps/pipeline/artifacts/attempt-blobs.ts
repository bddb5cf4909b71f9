import { hash as digest } from 'node:crypto';

import { StageFailure } from '#contracts';
import {
  type BlobStore,
  isBlobGone,
  type KeyRing,
  type Logger,
  mapBounded,
  newDataKey,
  type PutOptions,
} from '#platform';

import { decodeArtifact, encodeArtifact } from './artifact.codec.js';
import { LostPartError } from './lost-part-error.js';
import { smallIndex, smallPart } from './part-name.js';
import { openPart, type PartHead, type PartOwner, readPartHead, sealPart } from './sealed-part.js';
import { UnwrittenBlob } from './unwritten-blob.js';

/** Parts that one stage leaves for the next: sealed with the tenant's key, and of one job alone. */
export interface PartStore {
  /**
   * Stores a part of a stage. Small ones wait for the listing and are written with it.
   * @returns the name that the next stage reads it by.
   */
  put(plain: Uint8Array): Promise<string>;
  /**
   * Stores the listing of a stage, with its small parts, after all other parts.
   * @returns the name that the next stage reads it by.
   */
  putListing(listing: object): Promise<string>;
  /**
   * Reads the listing of the stage before, whose small parts `get` returns from then on.
   * @throws LostPartError.
   */
  getListing<Listing>(hash: string): Promise<Listing>;
  /**
   * Reads parts of earlier versions too, which are not sealed. @throws LostPartError.
   */
  get(name: string): Promise<Uint8Array>;
  /**
   * Marks a part of an earlier stage as input of this one, without reading it. It is deleted once
   * this stage has succeeded.
   */
  replace(name: string): void;
  /** Makes a part that was written ahead an output of this stage. */
  adopt(name: string): void;
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

/** Output of a stage in memory, for the next stage of the same worker. */
export interface GivenParts {
  /** Parts by name. */
  readonly parts: ReadonlyMap<string, Uint8Array>;
  /** The listing, if the store does not have it. */
  readonly listing?: UnwrittenBlob | undefined;
}

/** The end of an attempt: `unknown` where the log may or may not have its outcome. */
export type AttemptEnd = 'succeeded' | 'failed' | 'unknown';

/** Deletions in flight at once. */
const DELETIONS = 8;
/** Parts of at most so many bytes stay in memory for the next stage of the same worker. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** Parts of at most so many bytes together are written with the listing, in one blob. */
const MAX_SMALL_BYTES = 256 * 1024;
/** A sealed listing of at most so many bytes may wait in memory for the need to write it. */
const MAX_UNWRITTEN_BYTES = 512 * 1024;

/**
 * The blob store as one attempt of a stage sees it. It writes nothing once the attempt was aborted.
 * So a worker that lost its lease, or whose source was removed, leaves no blob behind the cleanup.
 *
 * `close` deletes the parts that nobody needs any more: those that a failed attempt wrote, or that
 * a successful one read.
 *
 * Small parts stay in memory, so that a worker which continues with the next stage does not read
 * them back. Every part is in the store before `putListing` resolves. A small listing is not. It is
 * written before the log names it as the input of due work. If the next stage of the same worker
 * ends first, it is never written.
 *
 * Parts outlive a process, and not always a power failure: an earlier stage can make them again.
 */
export class AttemptBlobs {
  readonly parts: PartStore = {
    put: (plain) => this.putSmall(plain) ?? this.putPart(plain),
    putListing: (listing) => this.putListing(encodeArtifact(listing, this.small)),
    getListing: async <Listing>(hash: string) => {
      const { header, sections } = decodeArtifact<Listing>(await this.getPart(hash));
      this.smallGiven = sections;
      return header;
    },
    get: (name) => this.getPart(name),
    replace: (name) => void this.read.add(name),
    adopt: (name) => void this.written.add(name),
  };
  readonly blobs: StageBlobs;
  /** Small parts that stay in memory, by name. */
  private readonly kept = new Map<string, Uint8Array>();
  private listing: UnwrittenBlob | undefined;
  private keptBytes = 0;
  /** Small parts that wait for the listing. */
  private readonly small: Uint8Array[] = [];
  private smallBytes = 0;
  /** Small parts of the stage before, in the order of their names. */
  private smallGiven: readonly Uint8Array[] = [];
  private readonly written = new Set<string>();
  private readonly read = new Set<string>();
  private readonly inFlight = new Set<Promise<unknown>>();
  private readonly keys = new Map<string, Promise<string>>();
  private ownKey: Promise<{ readonly head: PartHead; readonly dataKey: string }> | undefined;
  private leftContent = false;
  private closed = false;

  /** @param given output of the previous stage of this job, if this process has it. */
  constructor(
    private readonly owner: PartOwner,
    private readonly signal: AbortSignal,
    private readonly dependencies: AttemptBlobsDependencies,
    private readonly given: GivenParts = { parts: new Map() },
  ) {
    const { store } = dependencies;
    this.blobs = {
      get: (hash) => store.get(hash),
      has: (hash) => store.has(hash),
      put: (bytes) => {
        this.leftContent = true;
        return this.put(bytes, {});
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
    const input = this.given.listing;
    await input?.abandon();
    if (input && !input.isStored) this.read.delete(input.hash);
    if (end === 'failed') await this.abandonListing();
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

  /** Output for the next stage of the same worker. */
  get output(): GivenParts {
    return { parts: this.kept, listing: this.listing };
  }

  private async abandonListing(): Promise<void> {
    await this.listing?.abandon();
    if (this.listing?.isStored) this.written.add(this.listing.hash);
  }

  /**
   * True if `close` deletes stored input. The log must name the output as the input of due work
   * before that.
   */
  get hasStoredInput(): boolean {
    const { listing } = this.given;
    return [...this.read].some((hash) => hash !== listing?.hash || listing.isStored);
  }

  /**
   * Stores a part ahead of the stage that it belongs to, also a small one. The part is deleted with
   * this attempt, unless it is handed over before.
   */
  putAhead(plain: Uint8Array): Promise<string> {
    return this.putPart(plain);
  }

  /** Leaves a part that was stored ahead to the stage that adopts it. */
  handOver(name: string): void {
    this.written.delete(name);
  }

  /** Writes the listing where that was left out. */
  async storeListing(): Promise<void> {
    await this.listing?.store();
  }

  /** Returns the name of a part that waits for the listing; undefined if it is too large for it. */
  private putSmall(plain: Uint8Array): Promise<string> | undefined {
    if (this.smallBytes + plain.byteLength > MAX_SMALL_BYTES) return undefined;
    this.smallBytes += plain.byteLength;
    // A copy: a part may be a view of a larger buffer.
    return Promise.resolve(smallPart(this.small.push(new Uint8Array(plain)) - 1));
  }

  private async putListing(plain: Uint8Array): Promise<string> {
    const sealed = await this.seal(plain);
    const name = digest('sha256', sealed);
    if (sealed.byteLength > MAX_UNWRITTEN_BYTES || !this.keep(name, plain))
      return this.put(sealed, { durable: false }, this.written);
    // Also after the end of this stage: the next one of the same worker is under the same signal.
    this.listing = new UnwrittenBlob(name, async () => {
      this.signal.throwIfAborted();
      await this.dependencies.store.put(sealed, { durable: false });
    });
    return name;
  }

  private async putPart(plain: Uint8Array): Promise<string> {
    const hash = await this.put(await this.seal(plain), { durable: false }, this.written);
    this.keep(hash, plain);
    return hash;
  }

  private async seal(plain: Uint8Array): Promise<Uint8Array> {
    this.throwIfOver();
    this.ownKey ??= this.newKey();
    const { head, dataKey } = await this.ownKey;
    return sealPart(head, dataKey, plain);
  }

  /** @returns whether there is room in memory for the part. */
  private keep(name: string, plain: Uint8Array): boolean {
    if (this.keptBytes + plain.byteLength > MAX_KEPT_BYTES) return false;
    this.keptBytes += plain.byteLength;
    this.kept.set(name, new Uint8Array(plain));
    return true;
  }

  private async getPart(name: string): Promise<Uint8Array> {
    const index = smallIndex(name);
    if (index !== null) {
      const part = this.smallGiven[index];
      if (!part) throw new Error(`The listing of the earlier stage has no part ${name}`);
      // Copies: a stage may transfer its bytes to a thread.
      return new Uint8Array(part);
    }
    const given = this.given.parts.get(name);
    if (!given) return this.readPart(name);
    this.read.add(name);
    return new Uint8Array(given);
  }

  private async readPart(hash: string): Promise<Uint8Array> {
    const bytes = await this.dependencies.store.get(hash).catch((error: unknown) => {
      throw isBlobGone(error) ? new LostPartError(error) : error;
    });
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
  private async put(bytes: Uint8Array, options: PutOptions, record?: Set<string>): Promise<string> {
    this.throwIfOver();
    const work = this.dependencies.store.put(bytes, options).then(
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
