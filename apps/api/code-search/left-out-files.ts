import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { isFootnoteError } from '#contracts';
import { LOGGER, type Logger, TimeSlices } from '#platform';
import type { LeftOutCounts, LeftOutFiles } from '#search';
import type { LiveSource } from '#search-index';

import { KeptGenerations } from '../sources/kept-generations.js';

const KEPT_COUNTS = 10_000;
/** Manifests that a search waits for; more are read while it goes on without them. */
const MOST_AWAITED = 20;

/** Counts the files that a sync left out by the manifest of its generation. */
@Injectable()
export class ManifestLeftOutFiles implements LeftOutFiles, OnApplicationShutdown {
  /** A generation never changes. */
  private readonly counts = new LRUCache<string, LeftOutCounts>({ max: KEPT_COUNTS });
  private isReading = false;
  private isShutDown = false;

  constructor(
    @Inject(KeptGenerations)
    private readonly generations: Pick<KeptGenerations, 'kept' | 'documents'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns the known counts alone if many are not known; later calls have the others. */
  async of(sources: readonly LiveSource[]): Promise<ReadonlyMap<string, LeftOutCounts>> {
    const found = new Map<string, LeftOutCounts>();
    const unknown: LiveSource[] = [];
    for (const source of sources) {
      const counts = this.counts.get(keyOf(source));
      if (counts) found.set(source.sourceId, counts);
      else unknown.push(source);
    }
    if (unknown.length > MOST_AWAITED) {
      if (!this.isReading) void this.readAll(unknown.slice(0, KEPT_COUNTS));
      return found;
    }
    for (const source of unknown) {
      const counts = await this.read(source);
      if (counts) found.set(source.sourceId, counts);
    }
    return found;
  }

  onApplicationShutdown(): void {
    this.isShutDown = true;
  }

  /** Reads one manifest at a time, so that other requests come in between. */
  private async readAll(sources: readonly LiveSource[]): Promise<void> {
    this.isReading = true;
    try {
      for (const source of sources) {
        if (this.isShutDown) return;
        await this.read(source);
      }
    } catch (error) {
      this.logger.warn(
        { err: error },
        'code search: counting left-out files failed; retrying with the next search',
      );
    } finally {
      this.isReading = false;
    }
  }

  /** Returns undefined if the manifest is missing. */
  private async read(source: LiveSource): Promise<LeftOutCounts | undefined> {
    const { tenantId, sourceId, generation } = source;
    const counts: Record<string, number> = {};
    const slices = new TimeSlices();
    try {
      const row = await this.generations.kept(tenantId, sourceId, 'generation', generation);
      for (const { skipped } of await this.generations.documents(row)) {
        if (slices.isUsedUp) await slices.pause();
        if (skipped !== undefined) counts[skipped] = (counts[skipped] ?? 0) + 1;
      }
    } catch (error) {
      if (isFootnoteError(error)) return undefined;
      throw error;
    }
    this.counts.set(keyOf(source), counts);
    return counts;
  }
}

function keyOf({ tenantId, sourceId, generation }: LiveSource): string {
  return `${tenantId}/${sourceId}/${generation}`;
}
