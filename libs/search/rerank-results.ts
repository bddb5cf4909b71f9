import { isModelError, type Reranker } from '#models';
import {
  type AnalyzedQuery,
  isSentence,
  type RankedChunk,
  reorderByRelevance,
  toRerank,
} from '#retrieval';
import type { Candidate } from '#search-index';

import type { SearchMoment, UsedReranker } from './search-moment.js';
import type { SearchRun } from './search-run.js';

/** Use of the reranker by one search. */
export interface RerankInput {
  readonly query: AnalyzedQuery;
  readonly run: Pick<SearchRun, 'reranker' | 'signal'> & {
    readonly moment: Pick<SearchMoment, 'reranker'>;
  };
  /** Returns the texts of chunks, in their order. */
  readonly contents: (chunks: readonly RankedChunk<Candidate>[]) => Promise<readonly string[]>;
}

/**
 * Returns a ranking whose first chunks are in the order of the reranker, for sentences. If the
 * reranker fails or is late, the ranking stays; the run records what happened. A moment that names
 * an earlier use repeats that use, and sends nothing.
 *
 * @throws the reason of the signal; the errors of `contents`.
 */
export async function rerankResults(
  reranker: Reranker | null,
  ranked: readonly RankedChunk<Candidate>[],
  { query, run, contents }: RerankInput,
): Promise<readonly RankedChunk<Candidate>[]> {
  const recorded = run.moment.reranker;
  if (recorded === null || (!recorded && !reranker)) return ranked;
  if (ranked.length < 2 || query.saysNothing || !isSentence(query)) return ranked;
  const used = recorded ?? (reranker && (await ask(reranker, ranked, { query, run, contents })));
  if (!used) return ranked;
  run.reranker = used;
  return used.outcome === 'applied' ? reorderByRelevance(ranked, used.chunkIds) : ranked;
}

/** Returns the warning that marks an answer without the reranker's order; mostly none. */
export function rerankWarnings(used: UsedReranker | undefined): readonly string[] {
  if (!used || used.outcome === 'applied') return [];
  const what = used.outcome === 'late' ? 'did not answer in time' : 'gave no usable answer';
  return [`The reranker ${what}; the results are in the order without it`];
}

async function ask(
  reranker: Reranker,
  ranked: readonly RankedChunk<Candidate>[],
  { query, run, contents }: RerankInput,
): Promise<UsedReranker> {
  const { model } = reranker;
  const read = toRerank(ranked);
  const texts = await contents(read);
  const passages = read.map(({ candidate: { path, symbol, defs } }, at) => ({
    path,
    ...(symbol !== undefined && { symbol }),
    defs,
    content: texts[at] ?? '',
  }));
  try {
    const order = await reranker.rank(query.text, passages, run.signal);
    const chunkIds = order.flatMap((at) => read[at]?.candidate.chunkId ?? []);
    return { model, outcome: 'applied', chunkIds };
  } catch (error) {
    if (!isModelError(error)) throw error;
    return { model, outcome: error.kind === 'too_slow' ? 'late' : 'failed' };
  }
}
