import type { Candidates } from '../../search-index.port.js';
import { type FoundSlice, RETRIEVERS } from '../scan/found-slice.js';
import type { QueryVectors, SliceQuery } from '../scan/search-slice.js';
import { TopChunks } from '../scan/top-chunks.js';
import type { SegmentView } from '../store/loaded-generation.js';
import { FoundCandidates } from './found-candidates.js';
import type { SegmentCandidate } from './segment-candidate.js';

/** The results of one slice of a scope, with the views that it has chunks of. */
export interface SliceAnswer {
  readonly scope: readonly SegmentView[];
  readonly found: FoundSlice;
  /** Retrievers that ran, if the others ran over the same scope elsewhere; see `SliceQuery`. */
  readonly only?: SliceQuery['only'];
}

/**
 * Creates candidates from the results of all slices of a scope. It keeps the best `limit` of each
 * retriever over all slices, so the answer does not depend on the division. They are ordered by id.
 */
export function joinSlices(
  slices: readonly [SliceAnswer, ...SliceAnswer[]],
  limit: number,
  vectors: QueryVectors,
): Omit<Candidates, 'searched'> {
  const { statistics } = slices[0].found;
  const [words, ofVectors] = slices;
  if (words.only === 'words' && ofVectors?.only === 'vectors')
    return { candidates: mergeRetrievers(words, ofVectors, vectors), statistics };
  const kept = slices.length === 1 ? undefined : bestOf(slices, limit);
  const candidates = slices.flatMap(({ scope, found }, at) =>
    candidatesOf(scope, found, vectors, kept?.[at]),
  );
  if (slices.length > 1) candidates.sort((a, b) => a.compareId(b));
  return { candidates, statistics };
}

/** Merges what two retrievers found in one scope, each chunk once, in the order of one search. */
function mergeRetrievers(
  words: SliceAnswer,
  others: SliceAnswer,
  vectors: QueryVectors,
): readonly SegmentCandidate[] {
  const [left, right] = [words, others].map(({ scope, found }) =>
    candidatesOf(scope, found, vectors, undefined),
  ) as [SegmentCandidate[], SegmentCandidate[]];
  const merged: SegmentCandidate[] = [];
  let at = 0;
  for (const [place, candidate] of left.entries()) {
    for (let next = right[at]; next; next = right[at]) {
      const range = (others.found.views[at] as number) - (words.found.views[place] as number);
      const order = next.compareId(candidate) || range;
      if (order > 0) break;
      at += 1;
      if (order < 0) merged.push(next);
    }
    merged.push(candidate);
  }
  return merged.concat(right.slice(at));
}

/** Returns the results of each slice that are among the best of some retriever over all slices. */
function bestOf(slices: readonly SliceAnswer[], limit: number): readonly ReadonlySet<number>[] {
  const kept = slices.map(() => new Set<number>());
  RETRIEVERS.forEach((_, retriever) => {
    const top = new TopChunks(limit);
    const entries = new Map<SegmentView, Map<number, readonly [slice: number, entry: number]>>();
    slices.forEach(({ scope, found }, slice) => {
      found.chunks.forEach((chunk, entry) => {
        const score = found.scores[entry * RETRIEVERS.length + retriever] as number;
        if (Number.isNaN(score)) return;
        const view = scope[found.views[entry] as number] as SegmentView;
        let known = entries.get(view);
        if (!known) entries.set(view, (known = new Map<number, readonly [number, number]>()));
        known.set(chunk, [slice, entry]);
        top.offer(view, chunk, score);
      });
    });
    for (const { view, chunk } of top.found()) {
      const found = entries.get(view as SegmentView)?.get(chunk);
      if (found) kept[found[0]]?.add(found[1]);
    }
  });
  return kept;
}

function candidatesOf(
  scope: readonly SegmentView[],
  found: FoundSlice,
  vectors: QueryVectors,
  kept: ReadonlySet<number> | undefined,
): SegmentCandidate[] {
  const made = new FoundCandidates(scope, found, vectors);
  const candidates: SegmentCandidate[] = [];
  for (let entry = 0; entry < found.chunks.length; entry += 1)
    if (!kept || kept.has(entry)) candidates.push(made.at(entry));
  return candidates;
}
