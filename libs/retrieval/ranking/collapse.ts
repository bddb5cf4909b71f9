import { ContentMap } from './content-map.js';
import type { RankCandidate, SourceStanding } from './rank.types.js';
import type { Scored } from './scored.js';

const DAY_MS = 86_400_000;

type Entry = Pick<Scored<RankCandidate>, 'candidate' | 'file' | 'source'>;

/**
 * Shows equal content once, and of overlapping line ranges of one file the first in rank order. Of
 * equal content, the copy with the fresher source is shown, then the higher priority, then the
 * first in rank order. It has its own score and place. @param onCopy receives each shown entry with
 * the copies that it stands for @returns the remaining entries, in the order given
 */
export function collapseRepeats<S extends Entry>(
  ranked: readonly S[],
  onCopy?: (shown: S, copies: readonly S[]) => void,
): S[] {
  const copiesOf = copiesOfEach(ranked);
  const ranges: Ranges = new Map();
  const kept = new Uint8Array(ranked.length);
  for (let at = 0; at < ranked.length; at += 1) {
    const entry = ranked[at] as S;
    const copies = copiesOf[at];
    if (!copies) {
      if (takeLines(ranges, entry)) kept[at] = 1;
      continue;
    }
    // The next copy replaces one whose lines are already shown.
    for (let [best] = copies; best !== undefined && best <= at && !kept[best]; [best] = copies) {
      if (takeLines(ranges, ranked[best] as S)) kept[best] = 1;
      else copies.shift();
    }
  }
  if (onCopy) {
    for (const [shown, ...others] of new Set(copiesOf.filter((copies) => copies !== undefined))) {
      if (shown !== undefined && others.length > 0 && kept[shown]) {
        onCopy(
          ranked[shown] as S,
          others.map((at) => ranked[at] as S),
        );
      }
    }
  }
  return ranked.filter((_, at) => kept[at]);
}

/**
 * Returns for each entry the places of all entries with its content, itself included, the best
 * first; undefined for content that occurs once.
 */
function copiesOfEach<S extends Entry>(ranked: readonly S[]): readonly (number[] | undefined)[] {
  const copiesOf = ranked.map((): number[] | undefined => undefined);
  const repeated: number[][] = [];
  // Equal text with different schema hashes is not equal content.
  const firsts = new ContentMap<number[]>();
  const numbers = repeatedNumbers(ranked);
  for (let at = 0; at < ranked.length; at += 1) {
    const { candidate } = ranked[at] as S;
    if (candidate.contentNumber !== undefined && !numbers.has(candidate.contentNumber)) continue;
    const known = firsts.get(candidate);
    if (!known) {
      firsts.set(candidate, [at]);
      continue;
    }
    const schema = schemaOf(candidate);
    const first = known.find((place) => schemaOf((ranked[place] as S).candidate) === schema);
    if (first === undefined) {
      known.push(at);
      continue;
    }
    let copies = copiesOf[first];
    if (!copies) repeated.push((copies = copiesOf[first] = [first]));
    copies.push(at);
    copiesOf[at] = copies;
  }
  const sourceAt = (at: number): SourceStanding => (ranked[at] as S).source;
  for (const copies of repeated) copies.sort((a, b) => byStanding(sourceAt(a), sourceAt(b)));
  return copiesOf;
}

/** Returns the numbers that several contents have: only those can be equal. */
function repeatedNumbers<S extends Entry>(ranked: readonly S[]): ReadonlySet<number> {
  const numbers = new Float64Array(ranked.length);
  for (let at = 0; at < ranked.length; at += 1)
    numbers[at] = (ranked[at] as S).candidate.contentNumber ?? -1;
  numbers.sort();
  const repeated = new Set<number>();
  for (let at = 1; at < numbers.length; at += 1)
    if (numbers[at] === numbers[at - 1]) repeated.add(numbers[at] as number);
  return repeated;
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

function schemaOf({ schemaHash = '' }: RankCandidate): string {
  return schemaHash;
}

/** Shown lines by file: the first and the last line of each range, in turn. */
type Ranges = Map<number, number[]>;

/**
 * Takes lines of a file. Returns false if they overlap shown lines; otherwise they count as shown
 * from now on.
 */
function takeLines(
  ranges: Ranges,
  { candidate: { startLine: start, endLine: end }, file }: Entry,
): boolean {
  if (start === undefined || end === undefined) return true;
  const shown = ranges.get(file);
  if (!shown) {
    ranges.set(file, [start, end]);
    return true;
  }
  for (let at = 0; at < shown.length; at += 2) {
    const from = shown[at] as number;
    const to = shown[at + 1] as number;
    if (start <= to && from <= end && !isPieceOfOneLine(start, end, from, to)) return false;
  }
  shown.push(start, end);
  return true;
}

/**
 * Returns whether two ranges are one line: pieces of an over-long line share its number without
 * overlapping.
 */
function isPieceOfOneLine(start: number, end: number, from: number, to: number): boolean {
  return start === end && from === to;
}
