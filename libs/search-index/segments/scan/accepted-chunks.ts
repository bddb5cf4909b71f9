import { type ChunkFilter, compileChunkFilter, filterWeight } from '../../chunk-filter.js';
import type { ScanPace } from './scan-pace.js';
import type { SearchedSegment, SearchedView } from './searched-view.js';

/** Bytes of answers that a thread keeps over all filters; beyond it all are discarded. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_FILTERS = 100;
/** Answers about a chunk. */
export const ACCEPTED = 1;
const [UNDECIDED, REJECTED] = [0, 2];

/** Decides whether a filter accepts a chunk. */
export interface Accepts {
  (view: SearchedView, chunk: number): boolean;
  /**
   * Returns the answers about all chunks of a segment, {@link ACCEPTED} or another number;
   * undefined until all are decided.
   */
  readonly decided?: (segment: SearchedSegment) => Uint8Array | undefined;
}

/** Answers by chunk of a segment. */
interface Answers {
  readonly values: Uint8Array;
  undecided: number;
}

/** A compiled filter with its answers by chunk of a segment. */
interface DecidedFilter {
  readonly accept: ReturnType<typeof compileChunkFilter>;
  readonly weight: number;
  readonly answers: WeakMap<SearchedSegment, Answers>;
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
    let answers: Answers = { values: new Uint8Array(), undecided: 0 };
    const accepts = ({ segment }: SearchedView, chunk: number): boolean => {
      if (segment !== last) answers = this.answersOf(decided, segment);
      last = segment;
      if (answers.values[chunk] === UNDECIDED) decide(decided, segment, chunk, answers, pace);
      return answers.values[chunk] === ACCEPTED;
    };
    return Object.assign(accepts, {
      decided: (segment: SearchedSegment) => {
        const known = decided.answers.get(segment);
        return known?.undecided === 0 ? known.values : undefined;
      },
    });
  }

  private answersOf({ answers }: DecidedFilter, segment: SearchedSegment): Answers {
    let known = answers.get(segment);
    if (!known) {
      const { chunkCount } = segment.tables;
      answers.set(segment, (known = { values: new Uint8Array(chunkCount), undecided: chunkCount }));
      this.bytes += chunkCount;
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
      answers: new WeakMap<SearchedSegment, Answers>(),
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
  answers: Answers,
  pace: ScanPace,
): void {
  const path = tables.path(chunk);
  const answer = accept({ path, language: tables.language(chunk) }) ? ACCEPTED : REJECTED;
  let [first, end] = [chunk, chunk + 1];
  while (first > 0 && tables.isSameFile(first - 1, chunk)) first -= 1;
  while (end < answers.values.length && tables.isSameFile(end, chunk)) end += 1;
  answers.values.fill(answer, first, end);
  answers.undecided -= end - first;
  pace.spend(weight * path.length + (end - first));
}
