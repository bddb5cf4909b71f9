import { type ChunkFilter, compileChunkFilter, filterWeight } from '../../chunk-filter.js';
import type { ScanPace } from './scan-pace.js';
import type { SearchedSegment, SearchedView } from './searched-view.js';

/** Number of decisions that a thread keeps over all filters; beyond it all are discarded. */
const MAX_DECISIONS = 500_000;
const MAX_FILTERS = 100;

/** Decides whether a filter accepts a chunk. */
export type Accepts = (view: SearchedView, chunk: number) => boolean;

/** A compiled filter with its decisions by path and language of a segment. */
interface DecidedFilter {
  readonly accept: ReturnType<typeof compileChunkFilter>;
  readonly weight: number;
  readonly decisions: WeakMap<SearchedSegment, Map<string, boolean>>;
}

/**
 * Decides each path and language of a segment once per filter, also over several searches. After a
 * search that was too costly, the next one continues the decisions.
 */
export class AcceptedChunks {
  private readonly filters = new Map<string, DecidedFilter>();
  private decided = 0;

  constructor(private readonly maxDecisions = MAX_DECISIONS) {}

  /** @param pace is charged for each new decision. */
  by(filter: ChunkFilter | undefined, pace: ScanPace): Accepts {
    if (!filter) return () => true;
    const known = this.filterOf(filter);
    let last: { segment: SearchedSegment; chunk: number; answer: boolean } | undefined;
    return ({ segment }, chunk) => {
      // The chunks of a file follow each other, and a search may ask for every chunk.
      if (last?.segment === segment && segment.tables.isSameFile(last.chunk, chunk))
        return last.answer;
      let decisions = known.decisions.get(segment);
      if (!decisions) known.decisions.set(segment, (decisions = new Map<string, boolean>()));
      const key = segment.tables.fileKey(chunk);
      const answer = decisions.get(key) ?? this.decide(known, segment, chunk, decisions, key, pace);
      last = { segment, chunk, answer };
      return answer;
    };
  }

  private decide(
    { accept, weight }: DecidedFilter,
    { tables }: SearchedSegment,
    chunk: number,
    decisions: Map<string, boolean>,
    key: string,
    pace: ScanPace,
  ): boolean {
    const path = tables.path(chunk);
    const answer = accept({ path, language: tables.language(chunk) });
    decisions.set(key, answer);
    this.decided += 1;
    if (this.decided >= this.maxDecisions) this.forget();
    pace.spend(weight * path.length);
    return answer;
  }

  private filterOf(filter: ChunkFilter): DecidedFilter {
    const key = JSON.stringify([filter.paths, filter.languages]);
    const known = this.filters.get(key);
    if (known) return known;
    if (this.filters.size >= MAX_FILTERS) this.forget();
    const decided = {
      accept: compileChunkFilter(filter),
      weight: filterWeight(filter),
      decisions: new WeakMap(),
    };
    this.filters.set(key, decided);
    return decided;
  }

  private forget(): void {
    this.filters.clear();
    this.decided = 0;
  }
}
