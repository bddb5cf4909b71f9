import type { SearchedView } from './searched-view.js';

export interface FoundChunk {
  readonly view: SearchedView;
  readonly chunk: number;
  readonly score: number;
}

/** A chunk of the heap, with the beginning of its id once it is known; NaN before. */
interface RankedChunk {
  view: SearchedView;
  chunk: number;
  score: number;
  idPrefix: number;
}

/**
 * The best `limit` chunks so far: a bounded heap with the worst on top. Equal scores prefer the
 * smaller chunk id.
 */
export class TopChunks {
  private readonly heap: RankedChunk[] = [];

  constructor(private readonly limit: number) {}

  /** Scores below this one need not be offered. */
  get threshold(): number {
    return this.heap.length < this.limit ? -Infinity : (this.heap[0] as RankedChunk).score;
  }

  /** @param idPrefix beginning of the chunk's id, where it is at hand; see `PackTables`. */
  offer(view: SearchedView, chunk: number, score: number, idPrefix = NaN): void {
    if (this.heap.length < this.limit) {
      this.heap.push({ view, chunk, score, idPrefix });
      this.rise(this.heap.length - 1);
      return;
    }
    const [worst] = this.heap;
    if (!worst || !(score >= worst.score)) return;
    if (score === worst.score && !isWorse(worst, { view, chunk, score, idPrefix })) return;
    // A search offers thousands of chunks: the object of the worst one takes the new one.
    worst.view = view;
    worst.chunk = chunk;
    worst.score = score;
    worst.idPrefix = idPrefix;
    this.sink();
  }

  /** Returns the chunks, unordered. */
  found(): readonly FoundChunk[] {
    return this.heap;
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(this.heap[at] as RankedChunk, this.heap[parent] as RankedChunk)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const worst = this.worse(this.worse(at, left), left + 1);
      if (worst === at) return;
      this.swap(at, worst);
      at = worst;
    }
  }

  /** Returns which of two indexes has the worse chunk; the second may be beyond the end. */
  private worse(a: number, b: number): number {
    if (b >= this.heap.length) return a;
    return isWorse(this.heap[b] as RankedChunk, this.heap[a] as RankedChunk) ? b : a;
  }

  private swap(a: number, b: number): void {
    const moved = this.heap[a] as RankedChunk;
    this.heap[a] = this.heap[b] as RankedChunk;
    this.heap[b] = moved;
  }
}

function isWorse(a: RankedChunk, b: RankedChunk): boolean {
  if (a.score !== b.score) return a.score < b.score;
  const [prefix, other] = [idPrefixOf(a), idPrefixOf(b)];
  if (prefix !== other) return prefix > other;
  return a.view.segment.tables.compareIds(a.chunk, b.view.segment.tables, b.chunk) > 0;
}

function idPrefixOf(found: RankedChunk): number {
  if (Number.isNaN(found.idPrefix))
    found.idPrefix = found.view.segment.tables.idPrefix(found.chunk);
  return found.idPrefix;
}
