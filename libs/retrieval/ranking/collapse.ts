import type { RankCandidate, SourceStanding } from './rank.types.js';
import type { Scored } from './scored.js';

const DAY_MS = 86_400_000;

type Entry = Pick<Scored<RankCandidate>, 'candidate' | 'file'> & {
  readonly source: SourceStanding;
};

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
  const reached = new Set<S>();
  const kept = new Set<S>();
  for (const [at, entry] of ranked.entries()) {
    reached.add(entry);
    const copies = copiesOf[at] ?? [];
    // The next copy replaces one whose lines are already shown.
    for (let best = copies[0]; best && reached.has(best) && !kept.has(best); best = copies[0]) {
      if (takeLines(ranges, best)) kept.add(best);
      else copies.shift();
    }
  }
  if (onCopy) {
    for (const copies of new Set(copiesOf)) {
      const [shown, ...others] = copies;
      if (shown && others.length > 0 && kept.has(shown)) onCopy(shown, others);
    }
  }
  return ranked.filter((entry) => kept.has(entry));
}

/**
 * Returns for each entry all entries with its content, itself included, the best first. A key is
 * read from the index: once for each entry.
 */
function copiesOfEach<S extends Entry>(ranked: readonly S[]): readonly S[][] {
  const byContent = new Map<string, S[]>();
  const copiesOf = ranked.map((entry) => {
    const key = contentKey(entry.candidate);
    const copies = byContent.get(key) ?? [];
    if (copies.push(entry) === 1) byContent.set(key, copies);
    return copies;
  });
  for (const copies of byContent.values()) {
    if (copies.length > 1) copies.sort((a, b) => byStanding(a.source, b.source));
  }
  return copiesOf;
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

function contentKey({ contentHash, schemaHash = '' }: RankCandidate): string {
  return `${contentHash} ${schemaHash}`;
}

type Ranges = Map<number, [start: number, end: number][]>;

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
  if (
    shown?.some(
      ([from, to]) => start <= to && from <= end && !isPieceOfOneLine(start, end, from, to),
    )
  )
    return false;
  if (shown) shown.push([start, end]);
  else ranges.set(file, [[start, end]]);
  return true;
}

/**
 * Returns whether two ranges are one line: pieces of an over-long line share its number without
 * overlapping.
 */
function isPieceOfOneLine(start: number, end: number, from: number, to: number): boolean {
  return start === end && from === to;
}
