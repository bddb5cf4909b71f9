import {
  type AnalyzedQuery,
  type CorpusStatistics,
  type LegWeights,
  type ModelProfile,
  rank,
  type RankedChunk,
  type RankStep,
} from '#retrieval';
import type { Candidate } from '#search-index';

/** Ranking with something changed, to measure what it earns. */
export interface Variant {
  readonly name: string;
  readonly weights?: LegWeights;
  readonly without?: readonly RankStep[];
}

/** The candidates of the index for a query, the same for every variant. */
export interface Found {
  readonly query: AnalyzedQuery;
  readonly candidates: readonly Candidate[];
  readonly statistics: CorpusStatistics;
  /** The number of chunks that were searched. */
  readonly searched: number | null;
  /** The profile of the model that made the vectors. */
  readonly profile: ModelProfile;
}

const WORDS_ALONE: LegWeights = { lexical: 1, semantic: 0 };
const VECTORS_ALONE: LegWeights = { lexical: 0, semantic: 1 };

export const WHOLE: Variant = { name: 'the whole' };

/** The choice of passages follows the ranking, so that every other variant lacks it too. */
export const WITHOUT_PASSAGES: Variant = { name: 'without the choice of passages in files' };

/** The second passage of the first file stays at its place. */
export const WITHOUT_SECOND: Variant = { name: 'without the second passage of the first file' };

/** The same results, of which only the lines that `best_lines` names count as shown. */
export const BEST_LINES: Variant = { name: 'by best_lines in place of the cited lines' };

/** Measured with an installed sentence encoder alone, whose fusion comes last. */
export const WITHOUT_SENTENCES: Variant = { name: 'without the sentence encoder' };

export const VARIANTS: readonly Variant[] = [
  { name: 'without names of files and definitions', without: ['names'] },
  { name: 'without file coherence', without: ['coherence'] },
  { name: 'without coverage by a file', without: ['coverage'] },
  { name: 'without path priors', without: ['priors'] },
  { name: 'without file saturation', without: ['saturation'] },
  { name: 'words alone (BM25), all steps', weights: WORDS_ALONE },
  { name: 'vectors alone, all steps', weights: VECTORS_ALONE },
  {
    name: 'words alone, no step',
    weights: WORDS_ALONE,
    without: ['names', 'coherence', 'coverage', 'priors', 'answerability', 'saturation'],
  },
];

export function rankBy(
  { query, candidates, statistics, searched, profile }: Found,
  variant: Variant = WHOLE,
): RankedChunk<Candidate>[] {
  return rank(query, candidates, statistics, {
    searched: { chunks: searched },
    profileOf: () => ({ ...profile, weights: variant.weights ?? profile.weights }),
    without: new Set(variant.without),
    sourceOf: () => ({ priority: 1, isRepository: true, isStale: false, syncedAt: 0 }),
  });
}
