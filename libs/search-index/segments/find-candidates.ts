import type { QuantisedVector } from '#retrieval';

import type { CandidateQuery, Candidates } from '../search-index.port.js';
import { corpusStatistics } from './corpus-statistics.js';
import { lexicalLeg, type Scratch } from './lexical-leg.js';
import type { SegmentView } from './loaded-generation.js';
import { QueryTerms } from './query-terms.js';
import { SegmentCandidate } from './segment-candidate.js';
import type { VectorArena } from './vector-arena.js';
import { vectorLeg } from './vector-leg.js';

/** Query vectors by the model that gave them; never of scale 0. */
export type QueryVectors = ReadonlyMap<string, QuantisedVector>;

/**
 * Runs the legs over the scope, the vectors of each model apart, and completes whatever any of them found. Candidates come
 * in the order of their ids.
 */
export function findCandidates(
  scope: readonly SegmentView[],
  corpus: readonly SegmentView[],
  query: CandidateQuery,
  vectors: QueryVectors,
  arena: VectorArena,
  scratch: Scratch,
): Candidates {
  const lookup = new QueryTerms(query.terms);
  const statistics = corpusStatistics(corpus, query.terms, lookup);
  const accepts = acceptance(query.accept);
  const { identifiers, limit } = query;
  const { byTerms, byDefinition } = lexicalLeg(scope, scratch, { lookup, statistics, limit, identifiers, accepts });
  const found = [...byTerms.found(), ...byDefinition.found()];

  const vectorOf = (view: SegmentView): QuantisedVector | undefined => {
    const vector = vectors.get(view.embedderId);
    return vector?.q.length === view.segment.dimensions ? vector : undefined;
  };
  for (const [vector, views] of Map.groupBy(scope, vectorOf)) {
    if (!vector) continue;
    arena.setQuery(vector.q);
    found.push(...vectorLeg(views, arena, vector, limit, accepts).found());
  }

  const chunksOf = new Map<SegmentView, Set<number>>();
  for (const { view, chunk } of found) {
    const chunks = chunksOf.get(view);
    if (chunks) chunks.add(chunk);
    else chunksOf.set(view, new Set([chunk]));
  }
  const candidates: SegmentCandidate[] = [];
  for (const [view, chunks] of chunksOf) {
    const { tables } = view.segment;
    const ascending = Uint32Array.from(chunks).sort();
    const frequencies = frequenciesOf(view, ascending, lookup);
    const vector = vectorOf(view);
    if (vector) arena.setQuery(vector.q);
    // Chunks of a file are neighbours, and they share its path's string: it is decoded and hashed once.
    let pathId = -1;
    let path = '';
    ascending.forEach((chunk, i) => {
      if (tables.pathId(chunk) !== pathId) path = tables.strings.at((pathId = tables.pathId(chunk)));
      const cosine = vector ? cosineOf(view, chunk, arena, vector) : 0;
      const model = vector && view.embedderId;
      candidates.push(new SegmentCandidate(view, chunk, path, frequencies[i] as number[], cosine, model));
    });
  }
  candidates.sort((a, b) => a.compareId(b));
  return { candidates, statistics };
}

/** Asks `accept` once a path and language of a segment. */
function acceptance(accept: CandidateQuery['accept']): (view: SegmentView, chunk: number) => boolean {
  if (!accept) return () => true;
  const answers = new Map<SegmentView, Map<string, boolean>>();
  return (view, chunk) => {
    const { tables } = view.segment;
    let known = answers.get(view);
    if (!known) answers.set(view, (known = new Map<string, boolean>()));
    const key = tables.fileKey(chunk);
    let answer = known.get(key);
    if (answer === undefined) {
      known.set(key, (answer = accept({ path: tables.path(chunk), language: tables.language(chunk) })));
    }
    return answer;
  };
}

/** Frequency of each query term in each of some chunks of a segment, by search from where the last one was found. */
function frequenciesOf(view: SegmentView, ascending: Uint32Array, lookup: QueryTerms): number[][] {
  const { postingChunks, postingFrequencies } = view.segment.tables;
  const ranges = lookup.rangesIn(view.segment);
  const frequencies = Array.from(ascending, () => new Array<number>(ranges.length).fill(0));
  ranges.forEach(({ from, to }, term) => {
    let low = from;
    ascending.forEach((chunk, i) => {
      let high = to;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((postingChunks[middle] as number) < chunk) low = middle + 1;
        else high = middle;
      }
      if (low < to && postingChunks[low] === chunk) {
        (frequencies[i] as number[])[term] = postingFrequencies[low] as number;
      }
    });
  });
  return frequencies;
}

function cosineOf({ segment }: SegmentView, chunk: number, arena: VectorArena, query: QuantisedVector): number {
  const product = arena.one(segment.vectorsAt + chunk * segment.dimensions, segment.dimensions);
  return product * (segment.tables.scales[chunk] as number) * query.scale;
}
