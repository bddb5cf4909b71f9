import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { lexicalScorer } from './lexical-score.js';
import { withScoresOfPlaces } from './place-scores.js';
import type {
  CorpusStatistics,
  RankCandidate,
  RankedChunk,
  RankOptions,
  SourceStanding,
} from './rank.types.js';
import { numberFiles } from './scored.js';
import { sentenceShare } from './sentence-share.js';
import { WEIGHTS } from './weights.js';

/** Input of the fusion, as of the ranking before it. */
export interface FusionInput extends Pick<RankOptions, 'profileOf'> {
  readonly statistics: CorpusStatistics;
  readonly sourceOf: (sourceId: string) => SourceStanding;
}

/** A chunk of one of the two lists, or of both, with its rank in each, from 1. */
interface Place<C extends RankCandidate> {
  readonly entry: RankedChunk<C>;
  readonly share: number;
  readonly rank: number;
}

/** Returns whether the sentence encoder applies to a query: not to names and a few words. */
export function isSentence(query: AnalyzedQuery): boolean {
  return sentenceShare(query) > 0;
}

/**
 * Fuses a ranking with the nearest chunks of the sentence encoder by reciprocal rank. The n-th
 * passage of a file in the ranking has the rank of the n-th nearest chunk of the file. Chunks of
 * other files are added. The encoder counts less for a source of lower priority.
 *
 * The scores of the ranking stay at their places and never rise down the list. So the best score
 * and refusals do not change.
 */
export function fuseSentences<C extends RankCandidate>(
  ranked: readonly RankedChunk<C>[],
  nearest: readonly C[],
  input: FusionInput,
): readonly RankedChunk<C>[] {
  const fileOf = numberFiles();
  const ranks = new Map<number, number[]>();
  for (const [at, candidate] of nearest.entries()) {
    const file = fileOf(candidate);
    ranks.set(file, [...(ranks.get(file) ?? []), at + 1]);
  }
  const top = Math.max(...ranked.map(({ priority }) => priority));
  const byEncoder = (rank: number | undefined, priority: number): number =>
    rank === undefined
      ? 0
      : (Math.min(1, priority / top) * WEIGHTS.sentences) / (WEIGHTS.sentenceRank + rank);
  const known = new Set(ranked.map(({ candidate }) => fileOf(candidate)));
  const contents = new Set(ranked.map(({ candidate }) => candidate.contentHash));
  const seen = new Map<number, number>();
  const places = ranked.map((entry, at): Place<C> => {
    const file = fileOf(entry.candidate);
    const nth = seen.get(file) ?? 0;
    seen.set(file, nth + 1);
    const share =
      1 / (WEIGHTS.sentenceRank + at + 1) + byEncoder(ranks.get(file)?.[nth], entry.priority);
    return { entry, share, rank: at };
  });
  const isExplained = ranked.some(({ contributions }) => contributions !== undefined);
  const entryOf = entryMaker<C>(input, isExplained);
  for (const [at, candidate] of nearest.entries()) {
    if (known.has(fileOf(candidate)) || contents.has(candidate.contentHash)) continue;
    const entry = entryOf(candidate);
    if (entry.priority === 0) continue;
    contents.add(candidate.contentHash);
    places.push({ entry, share: byEncoder(at + 1, entry.priority), rank: ranked.length + at });
  }
  return withScoresOfPlaces(
    places.sort((a, b) => b.share - a.share || a.rank - b.rank).map(({ entry }) => entry),
    ranked.map(({ score }) => score),
    'sentences',
  );
}

/** Returns a maker of entries for chunks that only the encoder found. */
function entryMaker<C extends RankCandidate>(
  { statistics, profileOf, sourceOf }: FusionInput,
  isExplained: boolean,
): (candidate: C) => RankedChunk<C> {
  const lexicalScore = lexicalScorer(statistics);
  return (candidate) => {
    const { weights, similarityRange } = profileOf(candidate.cosineModel);
    const { low, high } = similarityRange;
    const lexical = lexicalScore(candidate.termFrequencies, candidate.length);
    const semantic = Math.min(1, Math.max(0, (candidate.cosine - low) / (high - low)));
    const combined = weights.lexical * lexical + weights.semantic * semantic;
    const source = sourceOf(candidate.sourceId);
    return {
      candidate,
      score: combined,
      priority: source.priority,
      source,
      legs: { lexical, semantic, combined },
      ...(isExplained && {
        contributions: [
          { name: 'lexical' as const, value: weights.lexical * lexical },
          { name: 'semantic' as const, value: weights.semantic * semantic },
        ].filter(({ value }) => value !== 0),
      }),
    };
  };
}
