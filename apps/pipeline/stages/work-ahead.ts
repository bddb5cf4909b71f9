import type { Embedder } from '#models';

import type { AttemptBlobs } from '../artifacts/attempt-blobs.js';
import { smallIndex } from '../artifacts/part-name.js';
import { StuckDocumentError } from '../thread-pool/document-watch.js';
import type { PreparedOutput } from '../thread-pool/stage-tasks.js';
import type { ThreadPool } from '../thread-pool/thread-pool.js';

/** A part that was parsed, chunked and analyzed ahead of these stages. */
export interface PreparedPart extends Omit<PreparedOutput, 'bytes'> {
  /** Name of the analyzed part in the blob store. */
  readonly analyzed: string;
  /** Bytes of the analyzed part. */
  readonly size: number;
}

/** Raw bytes that wait in memory for a thread; further parts are read back from the store. */
const WAITING_BYTES = 16 * 1024 * 1024;

export interface WorkAheadOptions {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly pool: Pick<ThreadPool, 'run' | 'hasIdleThread' | 'size'>;
  readonly embedder: Embedder;
  /** Chunks after which no further part is begun: the chunk stage rejects the source. */
  readonly maxChunks: number;
  /** Ends with the attempt. */
  readonly signal: AbortSignal;
  readonly blobs: Pick<AttemptBlobs, 'close' | 'handOver' | 'parts' | 'putAhead'>;
}

interface Entry {
  /** Raw bytes, if there was room for them. */
  bytes: Uint8Array | undefined;
  readonly result: PromiseWithResolvers<PreparedPart | null>;
  prepared: PreparedPart | null;
}

/**
 * Takes parts of the fetch stage through parse, chunk and analyze in one task each, while the fetch
 * stage reads on. The later stages of the same worker only fold the results. Until they are due,
 * only threads that nobody else needs do this; from then on parts take turns like all other tasks.
 *
 * A part without a result is left to the stages, such as one with a document that blocks a thread.
 * With a remote model no part has one. `close` deletes the stored parts that no stage adopted.
 */
export class WorkAhead {
  private readonly entries = new Map<string, Entry>();
  private readonly waiting: string[] = [];
  private readonly closing = new AbortController();
  private readonly signal: AbortSignal;
  private readonly running = new Set<Promise<void>>();
  private waitingBytes = 0;
  private chunks = 0;
  private due = false;
  private givenUp = false;

  constructor(private readonly options: WorkAheadOptions) {
    this.signal = AbortSignal.any([options.signal, this.closing.signal]);
  }

  /** True if later stages find results here, or wait for some. */
  get isUsed(): boolean {
    return this.entries.size > 0;
  }

  /**
   * Takes a part that the fetch stage has stored, and its bytes. Parts in the listing are too small
   * to be worth it.
   */
  offer(name: string, bytes: Uint8Array): void {
    if (!this.options.embedder.local || this.givenUp || smallIndex(name) !== null) return;
    if (this.signal.aborted || this.entries.has(name)) return;
    const fits = this.waitingBytes + bytes.byteLength <= WAITING_BYTES;
    if (fits) this.waitingBytes += bytes.byteLength;
    const result = Promise.withResolvers<PreparedPart | null>();
    this.entries.set(name, { bytes: fits ? bytes : undefined, result, prepared: null });
    this.waiting.push(name);
    this.start();
  }

  /** Waits for the result of a part. @returns null if the stages must compute it. */
  async resultOf(name: string): Promise<PreparedPart | null> {
    this.due = true;
    this.start();
    return (await this.entries.get(name)?.result.promise) ?? null;
  }

  /** Returns the result of a part if it is there. */
  preparedOf(name: string): PreparedPart | null {
    return this.entries.get(name)?.prepared ?? null;
  }

  /** Leaves the analyzed part of a raw one to the stage that lists it. */
  handOver(name: string): void {
    const entry = this.entries.get(name);
    if (entry?.prepared) this.options.blobs.handOver(entry.prepared.analyzed);
    this.entries.delete(name);
  }

  /** Ends all work and deletes what no stage took over. Never rejects. */
  async close(): Promise<void> {
    this.closing.abort(new Error('The attempt is over'));
    this.giveUp();
    await Promise.all(this.running);
    await this.options.blobs.close('failed');
  }

  private start(): void {
    const { pool } = this.options;
    while (this.running.size <= pool.size && (this.due || pool.hasIdleThread)) {
      const name = this.waiting.shift();
      const entry = name === undefined ? undefined : this.entries.get(name);
      if (name === undefined || !entry) return;
      const work: Promise<void> = this.prepare(name, entry).finally(() => {
        this.running.delete(work);
        this.start();
      });
      this.running.add(work);
    }
  }

  /** Never rejects. */
  private async prepare(name: string, entry: Entry): Promise<void> {
    try {
      entry.prepared = await this.prepared(name, entry);
      this.chunks += entry.prepared?.chunk.chunks ?? 0;
      if (this.chunks > this.options.maxChunks) this.giveUp();
    } catch (error) {
      // The stages compute the part again, and fail with the error if it lasts.
      if (error instanceof StuckDocumentError) this.giveUp();
    }
    if (!entry.prepared) this.entries.delete(name);
    entry.result.resolve(entry.prepared);
  }

  private async prepared(name: string, entry: Entry): Promise<PreparedPart | null> {
    const { pool, tenantId, sourceId, embedder, blobs } = this.options;
    if (!embedder.local) return null;
    const { signal } = this;
    const bytes = this.takeBytes(entry) ?? (await blobs.parts.get(name));
    const model = { id: embedder.id, file: embedder.file };
    const input = { bytes, tenantId, sourceId, model };
    const output = await pool.run('prepare', input, { tenantId, signal });
    if (!output) return null;
    const { parse, chunk, bytes: analyzed } = output;
    const size = analyzed.byteLength;
    return { parse, chunk, analyzed: await blobs.putAhead(analyzed), size };
  }

  private takeBytes(entry: Entry): Uint8Array | undefined {
    const { bytes } = entry;
    this.waitingBytes -= bytes?.byteLength ?? 0;
    entry.bytes = undefined;
    return bytes;
  }

  /** Begins no further part; those at work end. */
  private giveUp(): void {
    this.givenUp = true;
    for (const name of this.waiting.splice(0)) {
      const entry = this.entries.get(name);
      if (!entry) continue;
      this.entries.delete(name);
      this.takeBytes(entry);
      entry.result.resolve(null);
    }
  }
}
