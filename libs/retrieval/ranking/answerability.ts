import { cachedWordTerms } from '../analysis/analyze.js';
import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import type { CorpusStatistics, QuestionCosines } from './rank.types.js';
import type { RankTable } from './rank-table.js';
import { sentenceShare } from './sentence-share.js';
import { WEIGHTS } from './weights.js';

/** Corpus of a search. */
export interface Searched {
  readonly statistics: CorpusStatistics;
  /** Number of chunks. */
  readonly chunks: number | null;
}

/**
 * Returns the factor by which the searched content changes the odds that a question can be
 * answered. It multiplies the odds of the best score, and is 1 where nothing is known. It depends
 * on the question and all results together:
 *
 * - The mean cosine of the nearest chunks counts for a sentence. Many chunks relate a little to a
 * question that can be answered; for any other question a few do by chance. The factor subtracts
 * the value that the best of so many would have anyway. If a result defines a name of the question,
 * or is the file that it names, the factor is 1.
 * - A name counts that nothing defines and no chunk mentions.
 */
export function answerability(
  query: AnalyzedQuery,
  table: RankTable,
  names: readonly string[],
  searched: Searched,
): number {
  const bits = table.bitsOf(names);
  if (bits !== 0 && table.defined.some((defined) => (defined & bits) !== 0)) return 1;
  const doubt = names.some((name) => isUnmentioned(name, query, searched.statistics))
    ? WEIGHTS.unmentionedName
    : 0;
  const share = sentenceShare(query);
  return Math.exp((share === 0 ? 0 : share * aboutness(table, searched.chunks)) - doubt);
}

/**
 * Multiplies the odds of the best score, and scales all scores in one proportion. They stay 0–1 and
 * in their order, and a score near 0 or 1 hardly changes.
 */
export function multiplyOdds({ entries, score }: RankTable, odds: number): void {
  if (odds === 1) return;
  let best = 0;
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    best = Math.max(best, score[at] as number);
  }
  const factor = odds / (1 - best + best * odds);
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    score[at] = (score[at] as number) * factor;
  }
}

/**
 * Returns whether no chunk has the name; only for names that are one word and therefore one term.
 */
function isUnmentioned(
  name: string,
  { terms }: AnalyzedQuery,
  { documentFrequencies }: CorpusStatistics,
): boolean {
  const [term] = /^[\p{L}\p{M}\p{N}_$]+$/u.test(name) ? cachedWordTerms(name) : [];
  const at = term === undefined ? -1 : terms.indexOf(term);
  return at !== -1 && documentFrequencies[at] === 0;
}

/**
 * Returns log odds of the content being about a question, by the cosines of one model. Fewer
 * cosines, which show less, move it towards 0.
 */
function aboutness(table: RankTable, chunks: number | null): number {
  const { input } = table;
  const cosines = input.memory.floats(input.count);
  let count = 0;
  let model: string | undefined;
  let usual: QuestionCosines | undefined;
  for (let at = 0; at < input.count; at += 1) {
    const own = table.modelOf(at);
    if (own.model === undefined) continue;
    if (model !== undefined && own.model !== model) return 0;
    model = own.model;
    usual = own.profile.questionCosines;
    const cosine = input.cosines[at] as number;
    if (cosine > 0) cosines[count++] = cosine;
  }
  if (!usual || chunks === null || count === 0) return 0;
  const nearest = cosines.subarray(0, count).sort().reverse().subarray(0, WEIGHTS.nearestChunks);
  const odds = WEIGHTS.cosineSlope * (meanOfAll(nearest, chunks, usual) - usual.neutral);
  return (
    (nearest.length / WEIGHTS.nearestChunks) *
    Math.min(WEIGHTS.maxLogOdds, Math.max(-WEIGHTS.maxLogOdds, odds))
  );
}

/** Estimates the mean cosine of a question with all searched chunks from the nearest of them. */
function meanOfAll(nearest: Float64Array, chunks: number, { deviation }: QuestionCosines): number {
  const mean = nearest.reduce((sum, cosine) => sum + cosine, 0) / nearest.length;
  const times = Math.max(1, chunks / nearest.length);
  return mean - deviation * Math.max(0, Math.sqrt(2 * Math.log(times)) - WEIGHTS.tailCorrection);
}
