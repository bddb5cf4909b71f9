import { type RankedEntries, rankEntries } from '#retrieval/ranking/rank';
import type { SourceStanding } from '#retrieval/ranking/rank.types';

import { type FoundSlice, type RankedRows, ROW_SCORES } from '../scan/found-slice.js';
import { type QueryVectors, vectorOf } from '../scan/search-slice.js';
import type { SearchedView } from '../scan/searched-view.js';
import { frequenciesAt, termCount } from './found-candidates.js';
import { type PostedRanking, standingAt } from './posted-ranking.js';
import { SegmentChunk, ViewLookups } from './segment-candidate.js';

/** A chunk to rank, with its entry in the slice. */
class FoundChunk extends SegmentChunk {
  constructor(
    view: ViewLookups,
    chunk: number,
    frequencies: ArrayLike<number>,
    cosine: number,
    readonly entry: number,
  ) {
    super(view, chunk, frequencies, cosine);
  }
}

/**
 * Ranks the chunks of a slice, which is the whole scope. The result has the same rows as a ranking
 * of the candidates of the slice.
 *
 * @param scope the views of the slice
 */
export function rankSlice(
  scope: readonly SearchedView[],
  found: FoundSlice,
  vectors: QueryVectors,
  { query, profiles, standings, searched, explain, pathPatterns }: PostedRanking,
): FoundSlice {
  const sources = new Map<string, SourceStanding>();
  const lookups = scope.map((): ViewLookups | undefined => undefined);
  const terms = termCount(found);
  const chunks: FoundChunk[] = [];
  for (let entry = 0; entry < found.chunks.length; entry += 1) {
    const at = found.views[entry] as number;
    let view = lookups[at];
    if (!view) {
      const searchedView = scope[at] as SearchedView;
      const model = vectorOf(searchedView, vectors) && searchedView.embedderId;
      lookups[at] = view = new ViewLookups(searchedView.segment.tables, model);
      sources.set(view.sourceId, standingAt(standings, at));
    }
    const [chunk, cosine] = [found.chunks[entry] as number, found.cosines[entry] as number];
    chunks.push(new FoundChunk(view, chunk, frequenciesAt(found, entry, terms), cosine, entry));
  }
  const ranked = rankEntries(query, chunks, found.statistics, {
    profileOf: (model) => known(profiles, model),
    sourceOf: (sourceId) => known(sources, sourceId),
    searched,
    explain,
    pathPatterns,
  });
  return asSlice(ranked, found, terms);
}

/** Returns a ranking as columns, all in one buffer, which is moved to the caller. */
function asSlice(
  { kept, copies, explanation }: RankedEntries<FoundChunk>,
  found: FoundSlice,
  terms: number,
): FoundSlice {
  const entries = kept.map(({ candidate }) => candidate.entry);
  const copiesOf = new Map<number, readonly number[]>();
  kept.forEach(({ candidate }, row) => {
    const others = copies.of(candidate);
    if (others.length === 0) return;
    copiesOf.set(
      row,
      others.map(({ entry }) => entries.push(entry) - 1),
    );
  });
  const { rowScores, ...columns } = emptySlice(entries.length, kept.length, terms);
  const { views, chunks, cosines, frequencies } = columns;
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] as number;
    views[at] = found.views[entry] as number;
    chunks[at] = found.chunks[entry] as number;
    cosines[at] = found.cosines[entry] as number;
    for (let term = 0; term < terms; term += 1)
      frequencies[at * terms + term] = found.frequencies[entry * terms + term] as number;
  }
  let at = 0;
  for (const { score, lexical, semantic, combined } of kept) {
    rowScores[at++] = score;
    rowScores[at++] = lexical;
    rowScores[at++] = semantic;
    rowScores[at++] = combined;
  }
  const ranked: RankedRows = {
    count: kept.length,
    scores: rowScores,
    copies: copiesOf,
    contributions: explanation && kept.map(({ candidate }) => explanation.of(candidate)),
  };
  const { statistics } = found;
  return { statistics, ...columns, scores: new Float64Array(), ranked };
}

function emptySlice(entries: number, rows: number, terms: number) {
  const [eight, four] = [Float64Array.BYTES_PER_ELEMENT, Uint32Array.BYTES_PER_ELEMENT];
  const viewsAt = (entries + rows * ROW_SCORES) * eight;
  const frequenciesFrom = viewsAt + 2 * entries * four;
  const buffer = new ArrayBuffer(frequenciesFrom + entries * terms);
  return {
    cosines: new Float64Array(buffer, 0, entries),
    rowScores: new Float64Array(buffer, entries * eight, rows * ROW_SCORES),
    views: new Uint32Array(buffer, viewsAt, entries),
    chunks: new Uint32Array(buffer, viewsAt + entries * four, entries),
    frequencies: new Uint8Array(buffer, frequenciesFrom, entries * terms),
  };
}

function known<K, V>(values: ReadonlyMap<K, V>, key: K): V {
  const value = values.get(key);
  if (value === undefined) throw new Error(`${String(key)} was not posted with the ranking`);
  return value;
}
