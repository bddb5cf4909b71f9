import { type RankedTable, rankTable } from '#retrieval/ranking/rank';

import { type FoundSlice, type RankedRows, ROW_SCORES } from '../scan/found-slice.js';
import type { QueryVectors } from '../scan/search-slice.js';
import type { SearchedView } from '../scan/searched-view.js';
import { termCount } from './found-candidates.js';
import type { KeptForRanking } from './kept-for-ranking.js';
import { type PostedRanking, standingAt } from './posted-ranking.js';
import { SliceInput } from './slice-input.js';

/**
 * Ranks the chunks of a slice, which is the whole scope. The result has the same rows as a ranking
 * of the candidates of the slice.
 *
 * @param scope the views of the slice
 * @param kept memory of the thread; it is used by one ranking at a time
 */
export function rankSlice(
  scope: readonly SearchedView[],
  found: FoundSlice,
  vectors: QueryVectors,
  { query, profiles, standings, searched, explain, pathPatterns }: PostedRanking,
  kept: KeptForRanking,
): FoundSlice {
  kept.memory.clear();
  const input = new SliceInput(scope, found, vectors, kept);
  const ranked = rankTable(query, input, found.statistics, {
    profileOf: (model) => known(profiles, model),
    sourceOf: (group) => standingAt(standings, group),
    searched,
    explain,
    pathPatterns,
  });
  return asSlice(ranked, found);
}

/** Returns a ranking as columns, all in one buffer, which is moved to the caller. */
function asSlice({ kept, table, copies, explanation }: RankedTable, found: FoundSlice): FoundSlice {
  const terms = termCount(found);
  const entries = Array.from(kept);
  const copiesOf = new Map<number, readonly number[]>();
  for (let row = 0; row < kept.length; row += 1) {
    const others = copies.of(kept[row] as number);
    if (others.length === 0) continue;
    copiesOf.set(
      row,
      others.map((entry) => entries.push(entry) - 1),
    );
  }
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
  const { score, lexical, semantic, combined } = table;
  let at = 0;
  for (let row = 0; row < kept.length; row += 1) {
    const entry = kept[row] as number;
    rowScores[at++] = score[entry] as number;
    rowScores[at++] = lexical[entry] as number;
    rowScores[at++] = semantic[entry] as number;
    rowScores[at++] = combined[entry] as number;
  }
  const ranked: RankedRows = {
    count: kept.length,
    scores: rowScores,
    copies: copiesOf,
    contributions: explanation && Array.from(kept, (entry) => explanation.of(entry)),
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
