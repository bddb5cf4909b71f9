import { isFootnoteError } from '#contracts';
import { type BlobStore, type Logger, sleep } from '#platform';
import type { GenerationsRow } from '#read-model';
import { findContentGap, gapMessage } from '#search-index';

import { retryDelay } from '../runner/pauses.js';
import type { GenerationRows } from './generation-rows.js';

export interface ContentInspectionDependencies {
  readonly blobs: BlobStore;
  readonly rows: GenerationRows;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Generations looked at at once. */
const AT_ONCE = 4;

/**
 * Checks that the blob store has the content of the generations that the index has. Records missing
 * content in their rows: the index still answers without it, but nothing could be loaded again or
 * built on it.
 *
 * Packs are looked up and not read, except those of a generation with recorded missing content.
 * That record is removed only if every blob is whole.
 */
export class ContentInspection {
  constructor(private readonly dependencies: ContentInspectionDependencies) {}

  /**
   * A store that is away is waited for. @returns how many rows it changed. @throws when the signal
   * aborts.
   */
  async run(): Promise<number> {
    const { rows, signal } = this.dependencies;
    const waiting = await rows.ready();
    const known = new Map<string, Promise<boolean>>();
    let changed = 0;
    const lane = async () => {
      for (let row = waiting.pop(); row; row = waiting.pop()) {
        signal.throwIfAborted();
        const message = await this.messageOf(row, known);
        if (message === row.message) continue;
        const { tenant_id: tenantId, source_id: sourceId, generation } = row;
        if (await rows.note({ tenantId, sourceId, generation }, message)) changed += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return changed;
  }

  private async messageOf(
    row: GenerationsRow,
    known: Map<string, Promise<boolean>>,
  ): Promise<string | null> {
    const { blobs, logger, signal } = this.dependencies;
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        const options = row.message === null ? { known } : { packs: 'read' as const };
        const gap = await findContentGap(blobs, row.manifest, options);
        if (!gap) return null;
        const { source_id, generation, manifest } = row;
        logger.warn({ source_id, generation, manifest, gap }, 'content of a generation is missing');
        return gapMessage(row.generation, gap);
      } catch (error) {
        if (!isFootnoteError(error, 'engine_unavailable')) throw error;
        known.clear();
      }
      await sleep(retryDelay(attempt), signal);
    }
  }
}
