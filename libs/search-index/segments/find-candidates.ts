import { quantise, type QuantisedVector } from '#retrieval';

import type { Candidate, CandidateQuery, Candidates } from '../search-index.port.js';
import { corpusStatistics } from './corpus-statistics.js';
import { lexicalLeg, type Scratch } from './lexical-leg.js';
import type { SegmentView } from './loaded-generation.js';
import { QueryTerms } from './query-terms.js';
import type { VectorArena } from './vector-arena.js';
import { vectorLeg } from './vector-leg.js';

/** Runs the three legs over the scope and completes whatever any of them found. Candidates come in the order of their ids. */
export function findCandidates(
  scope: readonly SegmentView[],
  corpus: readonly SegmentView[],
  query: CandidateQuery,
  arena: VectorArena,
  scratch: Scratch,
): Candidates {
  const lookup = new QueryTerms(query.terms);
  const statistics = corpusStatistics(corpus, query.terms, lookup);
  const accepts = acceptance(query.accept);
  const { identifiers, limit } = query;
  const { byTerms, byDefinition } = lexicalLeg(scope, scratch, { lookup, statistics, limit, identifiers, accepts });
  const found = [...byTerms.found(), ...byDefinition.found()];

  const vector = query.vector && quantise(query.vector);
  const comparable = (view: SegmentView): boolean =>
    vector !== null &&
    vector.scale > 0 &&
    view.embedderId === query.embedderId &&
    view.segment.dimensions === vector.q.length;
  if (vector && scope.some(comparable)) {
    arena.setQuery(vector.q);
    found.push(...vectorLeg(scope.filter(comparable), arena, vector, limit, accepts).found());
  }

  const chunksOf = new Map<SegmentView, Set<number>>();
  for (const { view, chunk } of found) {
    const chunks = chunksOf.get(view);
    if (chunks) chunks.add(chunk);
    else chunksOf.set(view, new Set([chunk]));
  }
  const candidates: Candidate[] = [];
  for (const [view, chunks] of chunksOf) {
    const ascending = Uint32Array.from(chunks).sort();
    const frequencies = frequenciesOf(view, ascending, lookup);
    ascending.forEach((chunk, i) => {
      const cosine = vector && comparable(view) ? cosineOf(view, chunk, arena, vector) : 0;
      candidates.push(candidateOf(view, chunk, frequencies[i] as Uint8Array, cosine));
    });
  }
  candidates.sort((a, b) => (a.chunkId < b.chunkId ? -1 : 1));
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
function frequenciesOf(view: SegmentView, ascending: Uint32Array, lookup: QueryTerms): Uint8Array[] {
  const { postingChunks, postingFrequencies } = view.segment.tables;
  const ranges = lookup.rangesIn(view.segment);
  const frequencies = Array.from(ascending, () => new Uint8Array(ranges.length));
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
        (frequencies[i] as Uint8Array)[term] = postingFrequencies[low] as number;
      }
    });
  });
  return frequencies;
}

function cosineOf({ segment }: SegmentView, chunk: number, arena: VectorArena, query: QuantisedVector): number {
  const product = arena.one(segment.vectorsAt + chunk * segment.dimensions, segment.dimensions);
  return product * (segment.tables.scales[chunk] as number) * query.scale;
}

function candidateOf(view: SegmentView, chunk: number, termFrequencies: Uint8Array, cosine: number): Candidate {
  const { tables } = view.segment;
  const { tenantId, sourceId, generation } = view.source;
  if (tables.meta.tenant_id !== tenantId || tables.meta.source_id !== sourceId) {
    throw new Error('a segment of another source was searched; this is a defect');
  }
  return {
    chunkId: tables.chunkId(chunk),
    sourceId,
    generation,
    path: tables.path(chunk),
    symbol: tables.symbol(chunk),
    defs: tables.defs(chunk),
    language: tables.language(chunk),
    chunkType: tables.chunkType(chunk),
    startLine: tables.startLine(chunk),
    endLine: tables.endLine(chunk),
    tokenCount: tables.tokenCount(chunk),
    contentHash: tables.contentHash(chunk),
    endpointKey: tables.endpointKey(chunk),
    schemaHash: tables.schemaHash(chunk),
    termFrequencies,
    length: tables.lengths[chunk] as number,
    cosine,
  };
}
