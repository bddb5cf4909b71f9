import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { isFootnoteError } from '#contracts';
import { TimeSlices } from '#platform';
import type { LeftOutCounts, LeftOutFiles } from '#search';
import type { LiveSource } from '#search-index';

import { KeptGenerations } from '../sources/kept-generations.js';

const KEPT_COUNTS = 10_000;
/** Manifests that one search reads; later searches read the others. */
const MOST_READ = 20;

/** Counts the files that a sync left out by the manifest of its generation. */
@Injectable()
export class ManifestLeftOutFiles implements LeftOutFiles {
  /** A generation never changes. */
  private readonly counts = new LRUCache<string, LeftOutCounts>({ max: KEPT_COUNTS });

  constructor(private readonly generations: KeptGenerations) {}

  async of(sources: readonly LiveSource[]): Promise<ReadonlyMap<string, LeftOutCounts>> {
    const found = new Map<string, LeftOutCounts>();
    let read = 0;
    for (const source of sources) {
      const key = `${source.tenantId}/${source.sourceId}/${source.generation}`;
      let counts = this.counts.get(key);
      if (!counts && read < MOST_READ) {
        read += 1;
        counts = await this.read(source);
        if (counts) this.counts.set(key, counts);
      }
      if (counts) found.set(source.sourceId, counts);
    }
    return found;
  }

  /** Returns undefined if the manifest is missing. */
  private async read({
    tenantId,
    sourceId,
    generation,
  }: LiveSource): Promise<LeftOutCounts | undefined> {
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
    return counts;
  }
}
