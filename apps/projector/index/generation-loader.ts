import { isFootnoteError, type Manifest } from '#contracts';
import { type BlobStore, isBlobGone, type Logger, sleep } from '#platform';
import {
  findContentGap,
  gapMessage,
  type GenerationStore,
  type IndexBeside,
  type LiveSource,
} from '#search-index';

import { retryDelay } from '../runner/pauses.js';

/**
 * The outcome of loading a generation. `ready` with a message: the index has all of it, although
 * its content is missing. `dropped`: the log dropped it during the load.
 */
export type LoadOutcome =
  | { readonly state: 'ready'; readonly chunks: number; readonly message?: string }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'dropped' };

export interface LoadRequest {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly generation: number;
  /** Blob hash of the manifest. */
  readonly manifest: string;
  /** As the log has it. */
  readonly chunkCount: number;
  /** True once an event further on says that the generation is gone. */
  readonly isDropped: () => boolean;
  readonly signal: AbortSignal;
}

/** Tries of a failure that no engine explains, before it counts as one that cannot pass. */
const UNEXPLAINED_TRIES = 5;

/**
 * An index that loads generations. One that is built while another serves can copy them from it.
 */
export type LoadedIndex = GenerationStore & Partial<Pick<IndexBeside, 'takeOver'>>;

/**
 * Loads generations into the search index: reads the manifest from the blob store; the index itself
 * reads the packs.
 */
export class GenerationLoader {
  constructor(
    private readonly searchIndex: LoadedIndex,
    private readonly blobs: BlobStore,
    private readonly logger: Logger,
  ) {}

  /**
   * Loads one generation; twice changes nothing. An engine that is away is tried again for ever,
   * anything else a few times.
   * @throws when the signal aborts.
   */
  async load(request: LoadRequest): Promise<LoadOutcome> {
    for (let attempt = 1; ; attempt += 1) {
      request.signal.throwIfAborted();
      if (request.isDropped()) return { state: 'dropped' };
      try {
        return await this.attempt(request);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const { sourceId: source_id, generation } = request;
        this.logger.warn(
          { source_id, generation, attempt, error: message },
          'a generation could not be loaded',
        );
        if (isPermanent(error)) return { state: 'failed', message };
        const explained =
          isFootnoteError(error, 'engine_unavailable') || isFootnoteError(error, 'storage_full');
        if (!explained && attempt >= UNEXPLAINED_TRIES) return { state: 'failed', message };
      }
      await sleep(retryDelay(attempt), request.signal);
    }
  }

  private async attempt(request: LoadRequest): Promise<LoadOutcome> {
    try {
      return { state: 'ready', chunks: await this.apply(request) };
    } catch (error) {
      if (!isBlobGone(error)) throw error;
      return this.withoutContent(request);
    }
  }

  /** The index may have the generation from better days, and answers for it then. */
  private async withoutContent(request: LoadRequest): Promise<LoadOutcome> {
    const { tenantId, sourceId, generation, manifest, chunkCount } = request;
    const gap = await findContentGap(this.blobs, manifest, { packs: 'read' });
    if (!gap) throw new Error('A blob was missing and is there again');
    const message = gapMessage(generation, gap);
    this.logger.warn(
      { source_id: sourceId, generation, manifest, gap },
      'content of a generation is missing',
    );
    await this.searchIndex.takeOver?.({ tenantId, sourceId, generation });
    const loaded = await this.searchIndex.generations();
    const held = loaded.find((live) => isSame(live, { tenantId, sourceId, generation }));
    if (!held) return { state: 'failed', message };
    const ids = new Set<string>();
    for await (const id of this.searchIndex.chunkIds(held)) ids.add(id);
    return ids.size === chunkCount
      ? { state: 'ready', chunks: ids.size, message }
      : { state: 'failed', message };
  }

  private async apply({
    tenantId,
    sourceId,
    generation,
    manifest: hash,
  }: LoadRequest): Promise<number> {
    const manifest = JSON.parse(
      Buffer.from(await this.blobs.get(hash)).toString('utf8'),
    ) as Manifest;
    if (manifest.format !== 1)
      throw new UnusableManifestError(`Manifest ${hash} has an unknown format`);
    if (
      manifest.tenant_id !== tenantId ||
      manifest.source_id !== sourceId ||
      manifest.generation !== generation
    ) {
      throw new UnusableManifestError(
        `Manifest ${hash} is not that of generation ${generation} of its source`,
      );
    }
    return this.searchIndex.applyGeneration(manifest, (blob) => this.blobs.get(blob));
  }
}

class UnusableManifestError extends Error {}

function isPermanent(error: unknown): boolean {
  return error instanceof UnusableManifestError || error instanceof SyntaxError;
}

function isSame(a: LiveSource, b: LiveSource): boolean {
  return a.tenantId === b.tenantId && a.sourceId === b.sourceId && a.generation === b.generation;
}
