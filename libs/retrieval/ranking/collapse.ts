import { CandidateFields } from './candidate-fields.js';
import type { RankCandidate, RankedChunk, SourceStanding } from './rank.types.js';
import { NO_LINE, type RankInput } from './rank-input.js';
import { numberFiles } from './scored.js';

const DAY_MS = 86_400_000;
/** Stands for no place and for no chunk. */
const NONE = 0xffff_ffff;

/** Ranked chunks, by their numbers. */
export interface RepeatableChunks {
  readonly input: Pick<
    RankInput,
    | 'memory'
    | 'contentNumbers'
    | 'isSameContent'
    | 'schemaHash'
    | 'startLines'
    | 'endLines'
    | 'count'
  >;
  /** Number of each chunk's file, across sources. */
  readonly files: ArrayLike<number>;
  readonly fileCount: number;
  sourceOf(at: number): SourceStanding;
}

/**
 * Shows equal content once, and of overlapping line ranges of one file the first in rank order. Of
 * equal content, the copy with the fresher source is shown, then the higher priority, then the
 * first in rank order. It has its own score and place.
 *
 * @param ranked chunks in rank order
 * @param onCopy receives each shown chunk with the copies that it stands for
 * @returns the remaining chunks, in the order given
 */
export function collapseRepeats(
  chunks: RepeatableChunks,
  ranked: Uint32Array,
  onCopy?: (shown: number, copies: readonly number[]) => void,
): Uint32Array {
  const copiesOf = copiesOfEach(chunks, ranked);
  const lines = new ShownLines(chunks);
  const { memory } = chunks.input;
  const kept = memory.bytes(ranked.length).fill(0);
  for (let at = 0; at < ranked.length; at += 1) {
    const copies = copiesOf?.[at];
    if (!copies) {
      if (lines.take(ranked[at] as number)) kept[at] = 1;
      continue;
    }
    // The next copy replaces one whose lines are already shown.
    for (let [best] = copies; best !== undefined && best <= at && !kept[best]; [best] = copies) {
      if (lines.take(ranked[best] as number)) kept[best] = 1;
      else copies.shift();
    }
  }
  if (onCopy && copiesOf) {
    for (const [shown, ...others] of new Set(copiesOf.filter((copies) => copies !== undefined))) {
      if (shown !== undefined && others.length > 0 && kept[shown]) {
        onCopy(
          ranked[shown] as number,
          others.map((at) => ranked[at] as number),
        );
      }
    }
  }
  const shown = memory.numbers(ranked.length);
  let count = 0;
  for (let at = 0; at < ranked.length; at += 1)
    if (kept[at] === 1) shown[count++] = ranked[at] as number;
  return shown.subarray(0, count);
}

/** Collapses repeats of ranked chunks, as {@link collapseRepeats}. */
export function collapseRanked<C extends RankCandidate>(
  ranked: readonly RankedChunk<C>[],
): readonly RankedChunk<C>[] {
  const fileOf = numberFiles();
  const files = Uint32Array.from(ranked, ({ candidate }) => fileOf(candidate));
  const chunks = {
    input: new CandidateFields(ranked.map(({ candidate }) => candidate)),
    files,
    fileCount: ranked.length,
    sourceOf: (at: number) => (ranked[at] as RankedChunk<C>).source,
  };
  const kept = collapseRepeats(chunks, Uint32Array.from(ranked.keys()));
  return Array.from(kept, (at) => ranked[at] as RankedChunk<C>);
}

/**
 * Returns for each place the places of all chunks with its content, itself included, the best
 * first. The list of a content that occurs once is undefined, and so is a result without repeats.
 */
function copiesOfEach(
  chunks: RepeatableChunks,
  ranked: Uint32Array,
): (number[] | undefined)[] | undefined {
  const firsts = new FirstPlaces(chunks, ranked);
  let copiesOf: (number[] | undefined)[] | undefined;
  const repeated: number[][] = [];
  for (let at = 0; at < ranked.length; at += 1) {
    const first = firsts.firstLike(at);
    if (first === at) continue;
    copiesOf ??= new Array<number[] | undefined>(ranked.length).fill(undefined);
    let copies = copiesOf[first];
    if (!copies) repeated.push((copies = copiesOf[first] = [first]));
    copies.push(at);
    copiesOf[at] = copies;
  }
  const sourceAt = (at: number): SourceStanding => chunks.sourceOf(ranked[at] as number);
  for (const copies of repeated) copies.sort((a, b) => byStanding(sourceAt(a), sourceAt(b)));
  return copiesOf;
}

/**
 * The first place of each content, in a hash table by content number. It reads whole hashes only of
 * chunks whose numbers are equal: most have content of their own.
 */
class FirstPlaces {
  private readonly slots: Uint32Array;
  private readonly numbers: Uint32Array;
  /** Next place with the number of a place, but other content. */
  private readonly next: Uint32Array;

  constructor(
    private readonly chunks: RepeatableChunks,
    private readonly ranked: Uint32Array,
  ) {
    const bits = 33 - Math.clz32(ranked.length);
    const { memory } = chunks.input;
    this.slots = memory.numbers(1 << bits).fill(NONE);
    this.numbers = memory.numbers(ranked.length);
    this.next = memory.numbers(ranked.length).fill(NONE);
  }

  /** Returns the first place with the content of a place, itself if there is none before. */
  firstLike(at: number): number {
    const { slots, numbers } = this;
    const number = this.chunks.input.contentNumbers[this.ranked[at] as number] as number;
    numbers[at] = number;
    const mask = slots.length - 1;
    let slot = number & mask;
    while (slots[slot] !== NONE && numbers[slots[slot] as number] !== number)
      slot = (slot + 1) & mask;
    let first = slots[slot] as number;
    if (first === NONE) return (slots[slot] = at);
    while (!this.isSame(first, at)) {
      const next = this.next[first] as number;
      if (next === NONE) return (this.next[first] = at);
      first = next;
    }
    return first;
  }

  /** Equal text with different schema hashes is not equal content. */
  private isSame(place: number, other: number): boolean {
    const { input } = this.chunks;
    const [a, b] = [this.ranked[place] as number, this.ranked[other] as number];
    return input.isSameContent(a, b) && (input.schemaHash(a) ?? '') === (input.schemaHash(b) ?? '');
  }
}

/**
 * Compares sources: those within the policy's budget first, then by the day of their last sync.
 * Within a day the later sync has no effect, and priority decides.
 */
function byStanding(a: SourceStanding, b: SourceStanding): number {
  if (a.isStale !== b.isStale) return a.isStale ? 1 : -1;
  return (
    Math.floor(b.syncedAt / DAY_MS) - Math.floor(a.syncedAt / DAY_MS) || b.priority - a.priority
  );
}

/** The chunks of each file whose lines are shown. */
class ShownLines {
  /** The last shown chunk of each file. */
  private readonly last: Uint32Array;
  /** The shown chunk of the same file before a chunk. */
  private readonly before: Uint32Array;

  constructor(private readonly chunks: RepeatableChunks) {
    const { memory, count } = chunks.input;
    this.last = memory.numbers(chunks.fileCount).fill(NONE);
    this.before = memory.numbers(count);
  }

  /**
   * Takes the lines of a chunk. Returns false if they overlap shown lines; otherwise they count as
   * shown from now on.
   */
  take(at: number): boolean {
    const { files } = this.chunks;
    const { startLines, endLines } = this.chunks.input;
    const start = startLines[at] as number;
    const end = endLines[at] as number;
    if (start === NO_LINE || end === NO_LINE) return true;
    const file = files[at] as number;
    const last = this.last[file] as number;
    for (let other = last; other !== NONE; other = this.before[other] as number) {
      const from = startLines[other] as number;
      const to = endLines[other] as number;
      if (start <= to && from <= end && !isPieceOfOneLine(start, end, from, to)) return false;
    }
    this.before[at] = last;
    this.last[file] = at;
    return true;
  }
}

/**
 * Returns whether two ranges are one line: pieces of an over-long line share its number without
 * overlapping.
 */
function isPieceOfOneLine(start: number, end: number, from: number, to: number): boolean {
  return start === end && from === to;
}
