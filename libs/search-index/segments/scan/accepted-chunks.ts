import { type ChunkFilter, compileChunkFilter, filterWeight } from '../../chunk-filter.js';
import type { ScanPace } from './scan-pace.js';
import type { SearchedSegment, SearchedView } from './searched-view.js';

/** Bytes of answers that a thread keeps over all filters; beyond it all are discarded. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_FILTERS = 100;
/** Answers about a chunk. */
const [UNDECIDED, ACCEPTED, REJECTED] = [0, 1, 2];

/** Decides whether a filter accepts a chunk. */
export type Accepts = (view: SearchedView, chunk: number) => boolean;

/** A compiled filter with its answers by chunk of a segment. */
interface DecidedFilter {
  readonly accept: ReturnType<typeof compileChunkFilter>;
  readonly weight: number;
  readonly answers: WeakMap<SearchedSegment, Uint8Array>;
}

/**
 * Decides each file and language of a segment once per filter, also over several searches. After a
 * search that was too costly, the next one continues the decisions.
 */
export class AcceptedChunks {
  private readonly filters = new Map<string, DecidedFilter>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** @param pace is charged for each new decision. */
  by(filter: ChunkFilter | undefined, pace: ScanPace): Accepts {
    if (!filter) return () => true;
    const decided = this.filterOf(filter);
    let last: SearchedSegment | undefined;
    let answers: Uint8Array = new Uint8Array();
    return ({ segment }, chunk) => {
      if (segment !== last) answers = this.answersOf(decided, segment);
      last = segment;
      if (answers[chunk] === UNDECIDED) decide(decided, segment, chunk, answers, pace);
      return answers[chunk] === ACCEPTED;
    };
  }

  private answersOf({ answers }: DecidedFilter, segment: SearchedSegment): Uint8Array {
    let known = answers.get(segment);
    if (!known) {
      answers.set(segment, (known = new Uint8Array(segment.tables.chunkCount)));
      this.bytes += known.length;
      // The searches that run keep theirs.
      if (this.bytes > this.maxBytes) this.forget();
    }
    return known;
  }

  private filterOf(filter: ChunkFilter): DecidedFilter {
    const key = JSON.stringify([filter.paths, filter.languages]);
    const known = this.filters.get(key);
    if (known) return known;
    if (this.filters.size >= MAX_FILTERS) this.forget();
    const decided = {
      accept: compileChunkFilter(filter),
      weight: filterWeight(filter),
      answers: new WeakMap<SearchedSegment, Uint8Array>(),
    };
    this.filters.set(key, decided);
    return decided;
  }

  private forget(): void {
    this.filters.clear();
    this.bytes = 0;
  }
}

/** Decides about a chunk, and with it about those of its file and language around it. */
function decide(
  { accept, weight }: DecidedFilter,
  { tables }: SearchedSegment,
  chunk: number,
  answers: Uint8Array,
  pace: ScanPace,
): void {
  const path = tables.path(chunk);
  const answer = accept({ path, language: tables.language(chunk) }) ? ACCEPTED : REJECTED;
  let [first, end] = [chunk, chunk + 1];
  while (first > 0 && tables.isSameFile(first - 1, chunk)) first -= 1;
  while (end < answers.length && tables.isSameFile(end, chunk)) end += 1;
  answers.fill(answer, first, end);
  pace.spend(weight * path.length + (end - first));
}
