import type { Candidates } from '../../search-index.port.js';
import { type FoundShare, type QueryVectors, RETRIEVERS, vectorOf } from '../scan/search-share.js';
import type { ViewRange } from '../scan/searched-view.js';
import { TopChunks } from '../scan/top-chunks.js';
import type { SegmentView } from '../store/loaded-generation.js';
import { SegmentCandidate, ViewLookups } from './segment-candidate.js';

/** The results of one slice of a scope, with the slice. */
export interface ShareAnswer {
  readonly scope: readonly ViewRange<SegmentView>[];
  readonly found: FoundShare;
}

/**
 * Creates candidates from the results of all slices of a scope. It keeps the best `limit` of each
 * retriever over all slices, so the answer does not depend on the division. They are ordered by id.
 */
export function joinShares(
  shares: readonly [ShareAnswer, ...ShareAnswer[]],
  limit: number,
  vectors: QueryVectors,
): Omit<Candidates, 'searched'> {
  const kept = shares.length === 1 ? undefined : bestOf(shares, limit);
  const candidates = shares.flatMap(({ scope, found }, at) =>
    candidatesOf(scope, found, vectors, kept?.[at]),
  );
  if (shares.length > 1) candidates.sort((a, b) => a.compareId(b));
  return { candidates, statistics: shares[0].found.statistics };
}

/** Returns the results of each slice that are among the best of some retriever over all slices. */
function bestOf(shares: readonly ShareAnswer[], limit: number): readonly ReadonlySet<number>[] {
  const kept = shares.map(() => new Set<number>());
  RETRIEVERS.forEach((_, retriever) => {
    const top = new TopChunks(limit);
    const entries = new Map<SegmentView, Map<number, readonly [share: number, entry: number]>>();
    shares.forEach(({ scope, found }, share) => {
      found.chunks.forEach((chunk, entry) => {
        const score = found.scores[entry * RETRIEVERS.length + retriever] as number;
        if (Number.isNaN(score)) return;
        const { view } = scope[found.views[entry] as number] as ViewRange<SegmentView>;
        let known = entries.get(view);
        if (!known) entries.set(view, (known = new Map<number, readonly [number, number]>()));
        known.set(chunk, [share, entry]);
        top.offer({ view, chunk, score });
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
  scope: readonly ViewRange<SegmentView>[],
  found: FoundShare,
  vectors: QueryVectors,
  kept: ReadonlySet<number> | undefined,
): SegmentCandidate[] {
  const { views, chunks, cosines, frequencies } = found;
  const terms = chunks.length === 0 ? 0 : frequencies.length / chunks.length;
  const lookups = new Map<SegmentView, ViewLookups>();
  const candidates: SegmentCandidate[] = [];
  chunks.forEach((chunk, entry) => {
    if (kept && !kept.has(entry)) return;
    const { view } = scope[views[entry] as number] as ViewRange<SegmentView>;
    const model = vectorOf(view, vectors) && view.embedderId;
    const termFrequencies = frequencies.subarray(entry * terms, (entry + 1) * terms);
    let lookup = lookups.get(view);
    if (!lookup) lookups.set(view, (lookup = new ViewLookups(view.segment.tables)));
    candidates.push(
      new SegmentCandidate(view, chunk, lookup, termFrequencies, cosines[entry] as number, model),
    );
  });
  return candidates;
}
