import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { lexicalScorer } from './lexical-score.js';
import { namedPlaces } from './named-places.js';
import { placePrior } from './place-priors.js';
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

/** A chunk near the query's vector, with the cosine of the two. */
export interface NearChunk<C extends RankCandidate> {
  readonly candidate: C;
  readonly similarity: number;
}

/** Input of the fusion, as of the ranking before it. */
export interface FusionInput extends Pick<RankOptions, 'profileOf' | 'pathPatterns'> {
  readonly query: AnalyzedQuery;
  readonly statistics: CorpusStatistics;
  readonly sourceOf: (sourceId: string) => SourceStanding;
  /** Cosine that counts as none. Default: `WEIGHTS.sentenceSimilarity`. */
  readonly similarityFloor?: number | undefined;
}

/** A chunk of one of the two lists, or of both. */
interface Place<C extends RankCandidate> {
  readonly entry: RankedChunk<C>;
  readonly share: number;
  /** Orders equal shares: the ranking first. */
  readonly rank: number;
}

/** Returns whether the sentence encoder applies to a query: not to names and a few words. */
export function isSentence(query: AnalyzedQuery): boolean {
  return sentenceShare(query) > 0;
}

/**
 * Fuses a ranking with the nearest chunks of the sentence encoder. It adds two shares: of the best
 * score, and of the nearest chunk. The similarity counts above a floor, times the prior of the
 * chunk's place. The first passage of a file in the ranking has the share of the file's nearest
 * chunk. Further passages have none, so that they take no place of another file. Chunks of other
 * files are added. The encoder counts less for a source of lower priority.
 *
 * The scores of the ranking stay at their places and never rise down the list. So the best score
 * and refusals do not change.
 */
export function fuseSentences<C extends RankCandidate>(
  ranked: readonly RankedChunk<C>[],
  nearest: readonly NearChunk<C>[],
  input: FusionInput,
): readonly RankedChunk<C>[] {
  const near = sharesOf(nearest, input);
  const [best] = ranked;
  if (!best || near.length === 0) return ranked;
  const fileOf = numberFiles();
  const shares = firstOfFiles(near, fileOf);
  const begun = new Set<number>();
  const once = (file: number, share: number): number => {
    if (begun.has(file)) return 0;
    begun.add(file);
    return share;
  };
  const highest = Math.max(...ranked.map(({ priority }) => priority));
  const byPriority = (priority: number): number => Math.min(1, priority / highest);
  const known = new Set(ranked.map(({ candidate }) => fileOf(candidate)));
  const contents = new Set(ranked.map(({ candidate }) => candidate.contentHash));
  const places = ranked.map((entry, rank): Place<C> => {
    const file = fileOf(entry.candidate);
    const byEncoder = once(file, shares.get(file) ?? 0) * byPriority(entry.priority);
    return { entry, share: entry.score / best.score + byEncoder, rank };
  });
  const start = startOfNewFiles(ranked);
  const isExplained = ranked.some(({ contributions }) => contributions !== undefined);
  const entryOf = entryMaker<C>(input, isExplained);
  for (const { candidate, share } of near) {
    if (known.has(fileOf(candidate)) || contents.has(candidate.contentHash)) continue;
    const entry = entryOf(candidate);
    if (entry.priority === 0) continue;
    contents.add(candidate.contentHash);
    const whole = (start + once(fileOf(candidate), share)) * byPriority(entry.priority);
    places.push({ entry, share: whole, rank: places.length });
  }
  return withScoresOfPlaces(
    places.sort((a, b) => b.share - a.share || a.rank - b.rank).map(({ entry }) => entry),
    ranked.map(({ score }) => score),
    'sentences',
  );
}

/**
 * Returns the share that a chunk starts with if only the encoder finds its file. It follows the
 * tenth result: if the best result stands out, the others have low shares, and such a file would
 * displace most of them.
 */
function startOfNewFiles(ranked: readonly RankedChunk<RankCandidate>[]): number {
  const [best] = ranked;
  const tenth = ranked[Math.min(ranked.length, WEIGHTS.sentenceFilePlace) - 1];
  if (!best || !tenth) return WEIGHTS.sentenceFile;
  return Math.min(WEIGHTS.sentenceFile, (WEIGHTS.sentenceFileOfPlace * tenth.score) / best.score);
}

/** Returns the share of the nearest chunk of each file. */
function firstOfFiles(
  near: readonly { readonly candidate: RankCandidate; readonly share: number }[],
  fileOf: (candidate: RankCandidate) => number,
): Map<number, number> {
  const shares = new Map<number, number>();
  for (const { candidate, share } of near) {
    const file = fileOf(candidate);
    if (!shares.has(file)) shares.set(file, share);
  }
  return shares;
}

/** Returns the chunks above the floor with their shares, the largest first. */
function sharesOf<C extends RankCandidate>(
  nearest: readonly NearChunk<C>[],
  { query, pathPatterns = [], sourceOf, similarityFloor }: FusionInput,
): { readonly candidate: C; readonly share: number }[] {
  const named = namedPlaces(query.text, pathPatterns);
  const floor = similarityFloor ?? WEIGHTS.sentenceSimilarity;
  const valued = nearest
    .map(({ candidate, similarity }) => {
      const above = Math.max(0, similarity - floor);
      const { isRepository } = sourceOf(candidate.sourceId);
      return { candidate, value: above * placePrior(candidate, isRepository, named) };
    })
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const largest = valued[0]?.value ?? 1;
  return valued.map(({ candidate, value }) => ({
    candidate,
    share: (WEIGHTS.sentences * value) / largest,
  }));
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
