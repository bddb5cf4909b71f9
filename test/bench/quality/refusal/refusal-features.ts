import { rank, type RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import { type Found, rankBy } from '../ablation.js';

/** Features of a question that show whether it can be answered. */
export interface RefusalFeatures {
  /** Best score of the ranking in use. */
  readonly topScore: number;
  /** True if the logistic function applies: not to names and a few words. */
  readonly isSentence: boolean;
  /** Log odds of the best score without answerability. */
  readonly best: number;
  /** Mean cosine of the nearest 200, without what the size of the corpus adds. */
  readonly mean: number;
  /** Share of the terms, by rarity, that the found chunks of the best file contain. */
  readonly coverage: number;
  /** Logarithm of the number of terms. */
  readonly length: number;
}

const NEAREST = 200;
/** As in `meaning-v1`. */
const DEVIATION = 0.1;
const TAIL = 0.39;
/** Terms from which a query counts as a sentence. */
const SENTENCE_TERMS = 4;
const LEAST = 1e-3;

/** Returns the features of a question from what was found for it. */
export function refusalFeatures(found: Found): RefusalFeatures {
  const { query, candidates, statistics, searched, profile } = found;
  const plain = rank(query, candidates, statistics, {
    profileOf: () => profile,
    without: new Set(['answerability']),
    sourceOf: () => ({ priority: 1, isRepository: true, isStale: false, syncedAt: 0 }),
  });
  return {
    topScore: rankBy(found)[0]?.score ?? 0,
    isSentence: query.identifier === undefined && query.terms.length >= SENTENCE_TERMS,
    best: oddsOf(plain[0]?.score ?? 0),
    mean: meanOfAll(candidates, searched ?? statistics.chunks),
    coverage: coverageOf(plain[0], found),
    length: Math.log(Math.max(1, query.terms.length)),
  };
}

/** Returns the log odds of a score. */
export function oddsOf(score: number): number {
  const inside = Math.min(1 - LEAST, Math.max(LEAST, score));
  return Math.log(inside / (1 - inside));
}

function meanOfAll(candidates: readonly Candidate[], chunks: number): number {
  const nearest = candidates
    .map(({ cosine }) => cosine)
    .sort((a, b) => b - a)
    .slice(0, NEAREST);
  if (nearest.length === 0) return 0;
  const mean = nearest.reduce((sum, cosine) => sum + cosine, 0) / nearest.length;
  const times = Math.max(1, chunks / nearest.length);
  return mean - DEVIATION * Math.max(0, Math.sqrt(2 * Math.log(times)) - TAIL);
}

function coverageOf(
  first: RankedChunk<Candidate> | undefined,
  { query, candidates, statistics }: Found,
): number {
  const ofFile = candidates.filter(({ path }) => path === first?.candidate.path);
  const { chunks, documentFrequencies } = statistics;
  let total = 0;
  let covered = 0;
  for (const at of query.terms.keys()) {
    const frequency = documentFrequencies[at] ?? 0;
    const weight = Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));
    total += weight;
    if (ofFile.some(({ termFrequencies }) => (termFrequencies[at] ?? 0) > 0)) covered += weight;
  }
  return total === 0 ? 0 : covered / total;
}
