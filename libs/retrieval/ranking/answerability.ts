import { cachedWordTerms } from '../analysis/analyse.js';
import type { AnalysedQuery } from '../analysis/analyse-query.js';
import type {
  CorpusStatistics,
  ModelProfile,
  QuestionCosines,
  RankCandidate,
} from './rank.types.js';
import { definesAny, type Scored } from './scored.js';
import { sentenceShare } from './sentence-share.js';
import { WEIGHTS } from './weights.js';

/** What was searched. */
export interface Searched {
  readonly statistics: CorpusStatistics;
  /** How many chunks. */
  readonly chunks: number | null;
  readonly profileOf: (cosineModel: string | undefined) => ModelProfile;
}

/**
 * The factor by which what was searched makes it likelier or less likely that a question can be
 * answered: it multiplies the odds of its best score, and is 1 where nothing is told. Told by the
 * question and all that was found together:
 *
 * - a sentence is asked of content that is about something: of what can be answered many chunks
 *   speak a little, of anything else a few by chance. So the mean cosine of the nearest chunks
 *   counts, less what the best of so many would have anyway. What the question names and is
 *   defined, or is a file's path, is there: then this says nothing;
 * - a name that nothing defines and no chunk mentions.
 */
export function answerability(
  query: AnalysedQuery,
  candidates: readonly RankCandidate[],
  names: readonly string[],
  searched: Searched,
): number {
  if (candidates.some((candidate) => definesAny(candidate, names))) return 1;
  const doubt = names.some((name) => isUnmentioned(name, query, searched.statistics))
    ? WEIGHTS.unmentionedName
    : 0;
  return Math.exp(sentenceShare(query) * aboutness(candidates, searched) - doubt);
}

/**
 * Multiplies the odds of the best score, and all scores in one proportion: they stay 0–1 and in
 * their order, and a score near 0 or 1 hardly moves.
 */
export function multiplyOdds<C extends RankCandidate>(
  scored: readonly Scored<C>[],
  odds: number,
): void {
  if (odds === 1) return;
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  const factor = odds / (1 - best + best * odds);
  for (const entry of scored) entry.score *= factor;
}

/** Whether no chunk has the name, of those that are one word and therefore one term. */
function isUnmentioned(
  name: string,
  { terms }: AnalysedQuery,
  { documentFrequencies }: CorpusStatistics,
): boolean {
  const [term] = /^[\p{L}\p{M}\p{N}_$]+$/u.test(name) ? cachedWordTerms(name) : [];
  const at = term === undefined ? -1 : terms.indexOf(term);
  return at !== -1 && documentFrequencies[at] === 0;
}

/**
 * Log odds of the content being about a question, by the cosines of one model; towards 0 the fewer
 * there are, which tell less.
 */
function aboutness(candidates: readonly RankCandidate[], { chunks, profileOf }: Searched): number {
  const compared = candidates.filter(({ cosineModel }) => cosineModel !== undefined);
  const models = new Set(compared.map(({ cosineModel }) => cosineModel));
  const [model] = models;
  const usual = models.size === 1 ? profileOf(model).questionCosines : undefined;
  if (!usual || chunks === null) return 0;
  const nearest = compared
    .map(({ cosine }) => cosine)
    .filter((cosine) => cosine > 0)
    .sort((a, b) => b - a)
    .slice(0, WEIGHTS.nearestChunks);
  if (nearest.length === 0) return 0;
  const odds = WEIGHTS.cosineSlope * (meanOfAll(nearest, chunks, usual) - usual.neutral);
  return (
    (nearest.length / WEIGHTS.nearestChunks) *
    Math.min(WEIGHTS.maxLogOdds, Math.max(-WEIGHTS.maxLogOdds, odds))
  );
}

/**
 * The mean cosine of a question with all chunks that were searched, as the nearest of them let
 * suppose.
 */
function meanOfAll(
  nearest: readonly number[],
  chunks: number,
  { deviation }: QuestionCosines,
): number {
  const mean = nearest.reduce((sum, cosine) => sum + cosine, 0) / nearest.length;
  const times = Math.max(1, chunks / nearest.length);
  return mean - deviation * Math.max(0, Math.sqrt(2 * Math.log(times)) - WEIGHTS.tailCorrection);
}
