import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { OccurrenceTable } from '#code-search';
import { FootnoteError, isFootnoteError } from '#contracts';
import { BLOB_STORE, type BlobStore, isBlobGone, TimeSlices } from '#platform';
import {
  type PreciseNavigation,
  type PreciseRequest,
  PreciseSource,
  type SearchableSource,
  type UsedTable,
} from '#search';

import { KeptGenerations } from '../sources/kept-generations.js';
import { KnownScipUploads } from './known-scip-uploads.js';

/** Memory of all cached tables. */
const CACHED_BYTES = 128 * 1024 * 1024;
/** Files of all cached lists of versions. */
const CACHED_FILES = 100_000;

type GenerationPlace = Pick<SearchableSource, 'tenantId' | 'sourceId' | 'generation'>;

/** The tables of occurrences, cached. */
@Injectable()
export class ScipTables implements PreciseNavigation {
  private readonly tables = new LRUCache<string, OccurrenceTable>({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ memoryBytes }) => memoryBytes,
    fetchMethod: async (blob) => OccurrenceTable.decode(await this.blobs.get(blob)),
  });
  /** Versions of files by path, by the place of their generation. */
  private readonly versions = new LRUCache<string, ReadonlyMap<string, string>>({
    maxSize: CACHED_FILES,
    sizeCalculation: ({ size }) => size + 1,
  });

  constructor(
    private readonly uploads: KnownScipUploads,
    private readonly generations: KeptGenerations,
    @Inject(BLOB_STORE) private readonly blobs: Pick<BlobStore, 'get'>,
  ) {}

  open(recorded?: readonly UsedTable[]): PreciseRequest {
    const used: UsedTable[] = [];
    const warnings: string[] = [];
    const loaded = new Map<string, Promise<PreciseSource | undefined>>();
    const load = async (source: SearchableSource): Promise<PreciseSource | undefined> => {
      const { tenantId, sourceId } = source;
      const blobs = recorded
        ? recorded.filter(({ source_id }) => source_id === sourceId).map(({ blob }) => blob)
        : this.uploads.usedOf(tenantId, sourceId).map(({ blob }) => blob);
      if (blobs.length === 0) return undefined;
      const tables: OccurrenceTable[] = [];
      for (const blob of new Set(blobs)) {
        const isDropped = recorded && this.uploads.hasDropped(tenantId, sourceId, blob);
        const table = isDropped ? undefined : await this.table(blob);
        if (table) {
          tables.push(table);
          used.push({ source_id: sourceId, blob });
        } else if (recorded) {
          throw new FootnoteError('generation_dropped', 'A SCIP index is not kept any more');
        } else {
          warnings.push(`A SCIP index of "${source.name}" is missing; upload it again`);
        }
      }
      return new PreciseSource(tables, (await this.versionsOf(source)) ?? new Map());
    };
    const of = (source: SearchableSource): Promise<PreciseSource | undefined> => {
      const key = `${source.tenantId}/${source.sourceId}`;
      const result = loaded.get(key) ?? load(source);
      loaded.set(key, result);
      return result;
    };
    return { of, used, warnings };
  }

  /**
   * Returns how many files of each table have their indexed version in a generation.
   *
   * @returns null for a missing table; null for all if the list of files is missing.
   */
  async currentDocuments(
    blobs: readonly string[],
    place: GenerationPlace,
  ): Promise<readonly (number | null)[]> {
    const counts: (number | null)[] = [];
    const versions = blobs.length > 0 ? await this.versionsOf(place) : undefined;
    // One after the other, which bounds the memory.
    for (const blob of blobs) {
      const table = versions && (await this.table(blob));
      counts.push(table ? await table.countCurrent(versions) : null);
    }
    return counts;
  }

  private async table(blob: string): Promise<OccurrenceTable | undefined> {
    try {
      return await this.tables.fetch(blob);
    } catch (error) {
      if (isBlobGone(error)) return undefined;
      throw error;
    }
  }

  /** Returns the versions of a generation's files; undefined if it is not kept any more. */
  private async versionsOf({
    tenantId,
    sourceId,
    generation,
  }: GenerationPlace): Promise<ReadonlyMap<string, string> | undefined> {
    const key = `${tenantId}/${sourceId}/${generation}`;
    const known = this.versions.get(key);
    if (known) return known;
    try {
      const row = await this.generations.kept(tenantId, sourceId, 'generation', generation);
      const versions = new Map<string, string>();
      const slices = new TimeSlices();
      for (const { path, version, skipped } of await this.generations.documents(row)) {
        if (slices.isUsedUp) await slices.pause();
        if (skipped === undefined) versions.set(path, version);
      }
      this.versions.set(key, versions);
      return versions;
    } catch (error) {
      const isGone =
        isFootnoteError(error, 'generation_dropped') || isFootnoteError(error, 'content_missing');
      if (!isGone) throw error;
      return undefined;
    }
  }
}
