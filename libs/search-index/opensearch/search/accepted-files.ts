import { LRUCache } from 'lru-cache';

import { TimeSlices } from '#platform';

import { type ChunkFilter, compileChunkFilter, type FilteredChunk } from '../../chunk-filter.js';
import { SEARCH_BUDGET_MS } from '../../search-budget.js';
import type { LiveSource } from '../../search-index.port.js';
import { searchTooCostly } from '../../search-too-costly.js';
import { fileKey } from '../chunk-row.js';
import { GenerationLists } from '../generation-lists.js';
import type { IndexLayout } from '../index-layout.js';
import { anyOf, rowFilter } from '../row-filter.js';
import type { SearchServer, SearchStatus } from '../server.js';
import type { GenerationEntry } from '../source-records.js';

interface SourceFile extends FilteredChunk {
  readonly key: string;
}

interface FilesPage extends SearchStatus {
  readonly aggregations?: {
    readonly files: {
      readonly after_key?: FilteredChunk;
      readonly buckets: readonly { readonly key: FilteredChunk }[];
    };
  };
}

const PAGE = 5_000;
/** Time after which deciding yields to other work of the process, in milliseconds. */
const SLICE_MS = 4;
/** Number of filters whose decisions are kept for a generation. */
const FILTERS_A_GENERATION = 8;

/**
 * Converts a filter to one that the server applies before it cuts, because the server cannot
 * evaluate globs. Each file (path and language) of the scope is decided here, and the server gets
 * the files. The files of a generation never change, so they are read once and kept.
 */
export class AcceptedFiles {
  private readonly lists: GenerationLists<SourceFile>;

  /** Decisions by filter, one per file and in their order; removed together with the files. */
  private readonly decided = new WeakMap<readonly SourceFile[], LRUCache<string, boolean[]>>();

  /** @param now monotonic clock in milliseconds. */
  constructor(
    private readonly server: SearchServer,
    private readonly layout: IndexLayout,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lists = new GenerationLists(layout);
  }

  /**
   * @throws FootnoteError `search_too_costly` if deciding takes more time than one search may use.
   * @returns a clause that matches accepted files; null if all are accepted, `'nothing'` if none
   * is.
   */
  async filter(
    scope: readonly LiveSource[],
    entries: readonly GenerationEntry[],
    filter: ChunkFilter,
  ): Promise<object | null | 'nothing'> {
    const decide = this.decisions(filter);
    const accepted = new Set<string>();
    const rejected = new Set<string>();
    for (const [at, source] of scope.entries()) {
      const entry = entries[at] as GenerationEntry;
      const files = await this.lists.of(source, entry, () => this.read(source));
      for (const [at, isAccepted] of (await decide(files)).entries()) {
        (isAccepted ? accepted : rejected).add((files[at] as SourceFile).key);
      }
    }
    if (accepted.size === 0) return 'nothing';
    if (rejected.size === 0) return null;
    if (accepted.size <= rejected.size) return anyOf('file_key', [...accepted]);
    return { bool: { must_not: [anyOf('file_key', [...rejected])] } };
  }

  /**
   * Decides files in slices of time. The decisions are kept: after a search that was too costly,
   * the next one continues them.
   */
  private decisions(
    filter: ChunkFilter,
  ): (files: readonly SourceFile[]) => Promise<readonly boolean[]> {
    const key = JSON.stringify([filter.paths, filter.languages]);
    const accept = compileChunkFilter(filter);
    const slices = new TimeSlices(SLICE_MS, this.now);
    let used = 0;
    let sliceStart = this.now();
    return async (files) => {
      const byFilter =
        this.decided.get(files) ?? new LRUCache<string, boolean[]>({ max: FILTERS_A_GENERATION });
      this.decided.set(files, byFilter);
      const decided = byFilter.get(key) ?? [];
      byFilter.set(key, decided);
      while (decided.length < files.length) {
        decided.push(accept(files[decided.length] as SourceFile));
        if (!slices.isUsedUp) continue;
        used += this.now() - sliceStart;
        if (used > SEARCH_BUDGET_MS) throw searchTooCostly();
        await slices.pause();
        sliceStart = this.now();
      }
      return decided;
    };
  }

  private async read(source: LiveSource): Promise<readonly SourceFile[]> {
    const { routing, clause } = rowFilter(source);
    const sources = [
      { path: { terms: { field: 'path' } } },
      { language: { terms: { field: 'language' } } },
    ];
    const files: SourceFile[] = [];
    for (let after: FilteredChunk | undefined; ;) {
      const composite = { size: PAGE, sources, ...(after && { after }) };
      const query = { bool: { filter: [clause] } };
      const body = { size: 0, track_total_hits: false, query, aggs: { files: { composite } } };
      const [page] = await this.server.searches<FilesPage>(this.layout.chunks, [{ routing, body }]);
      const { buckets = [], after_key } = page?.aggregations?.files ?? {};
      for (const { key } of buckets) files.push({ ...key, key: fileKey(key.path, key.language) });
      after = after_key;
      if (buckets.length < PAGE || !after) return files;
    }
  }
}
