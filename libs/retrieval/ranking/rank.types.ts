import type { ChunkType } from '#contracts';

/** Fields of a candidate that the ranker reads. */
export interface RankCandidate {
  readonly chunkId: string;
  readonly sourceId: string;
  readonly path: string;
  /** Returns whether the chunk defines a name, exactly. */
  defines(name: string): boolean;
  readonly chunkType: ChunkType;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
  readonly contentHash: string;
  /**
   * A number that equal content hashes share and different ones seldom do. Absent from an index
   * that has the hashes as strings anyway.
   */
  readonly contentNumber?: number | undefined;
  /**
   * Compares chunk ids with a candidate of the same index, as their strings would sort. Absent from
   * an index that has the ids as strings anyway.
   */
  compareId?(other: RankCandidate): number;
  /**
   * Schema hash of an OpenAPI operation: its input and output may differ where its words do not.
   */
  readonly schemaHash?: string | undefined;
  /** Endpoint of an OpenAPI operation: `METHOD /path`. */
  readonly endpointKey?: string | undefined;
  readonly symbol?: string | undefined;
  /** Weighted frequency of each query term, in the query's order. */
  readonly termFrequencies: ArrayLike<number>;
  /** Weighted length in terms. */
  readonly length: number;
  readonly cosine: number;
  /** The embedding model behind `cosine`; undefined where the vectors could not be compared. */
  readonly cosineModel: string | undefined;
}

/**
 * Statistics of all live content of the tenant. The retrievers' scores depend neither on filters
 * nor on how content is divided into packs.
 */
export interface CorpusStatistics {
  readonly chunks: number;
  readonly averageLength: number;
  /** In the order of the query's terms. */
  readonly documentFrequencies: readonly number[];
}

/** Shares of the two retrievers in the combined score; they sum to 1. */
export interface LegWeights {
  readonly lexical: number;
  readonly semantic: number;
}

/** A step of ranking that can be left out, to measure its effect. */
export type RankStep =
  'names' | 'coherence' | 'coverage' | 'priors' | 'answerability' | 'saturation';

/** Use of an embedding model's cosines in ranking. */
export interface ModelProfile {
  readonly weights: LegWeights;
  /** Cosine from which a chunk without a single query term is still relevant. */
  readonly similarityFloor: number;
  /**
   * Meaningful range of the model's cosines: the semantic score is 0 at `low` and below, 1 at
   * `high` and above.
   */
  readonly similarityRange: SimilarityRange;
  /**
   * Cosines that show whether content is about a question. Absent if they were not measured for the
   * model; then the step has no effect.
   */
  readonly questionCosines?: QuestionCosines | undefined;
}

/** Distribution of the cosines of a question with all chunks of a corpus. */
export interface QuestionCosines {
  /**
   * Neutral mean: above it the corpus is likelier to be about the question, below it less likely.
   */
  readonly neutral: number;
  /** Their standard deviation. */
  readonly deviation: number;
}

/** Cosines of a model for unrelated texts, and for texts that belong together. */
export interface SimilarityRange {
  readonly low: number;
  readonly high: number;
}

export interface RankOptions {
  /**
   * Returns the profile of the model behind a candidate's cosine; undefined stands for candidates
   * without one. Called once for each model.
   */
  readonly profileOf: (cosineModel: string | undefined) => ModelProfile;
  readonly sourceOf: (sourceId: string) => SourceStanding;
  /**
   * Searched content for the user's own question: the number of chunks, or null if it is not known.
   * Left out for a query made from found content, which does not show whether the question can be
   * answered.
   */
  readonly searched?: { readonly chunks: number | null } | undefined;
  /** Path filters of the search: they name files as the query does. */
  readonly pathPatterns?: readonly string[] | undefined;
  /**
   * Steps left out; default empty. For benchmarks: thresholds were not chosen for scores without a
   * step.
   */
  readonly without?: ReadonlySet<RankStep>;
  /** Whether each chunk has the contributions to its score; default false, which costs nothing. */
  readonly explain?: boolean | undefined;
}

/** Properties of a source for ranking. */
export interface SourceStanding {
  /** Priority from the policy, ≥ 0. */
  readonly priority: number;
  /** Whether paths have meaning. */
  readonly isRepository: boolean;
  /** Whether its last sync is older than the policy's budget. */
  readonly isStale: boolean;
  /** Time of the last sync, milliseconds since 1970. */
  readonly syncedAt: number;
}

/** Amount that one part of ranking added to a score; negative where it lowered the score. */
export interface ScoreContribution {
  readonly name: ScorePart;
  readonly value: number;
}

/**
 * Part of a score: a retriever, a step of ranking, the source priority, or a later change of the
 * order. The last three give a passage the score of its place.
 */
export type ScorePart =
  'lexical' | 'semantic' | RankStep | 'priority' | 'passages' | 'sentences' | 'reranker';

/** Scores of the retrievers, each absolute and 0–1. */
export interface LegScores {
  readonly lexical: number;
  readonly semantic: number;
  /**
   * Weighted sum of the retrievers after boosts, priors and answerability, before the source
   * priority.
   */
  readonly combined: number;
}

export interface RankedChunk<C extends RankCandidate> {
  readonly candidate: C;
  /** Reported score, combined × priority × file saturation; never rising down the list. */
  readonly score: number;
  readonly priority: number;
  readonly source: SourceStanding;
  readonly legs: LegScores;
  /** Found copies and translations that this result stands for; absent without any. */
  readonly copies?: readonly C[];
  /** Their sum is `score`, to rounding of floating-point numbers. Absent without `explain`. */
  readonly contributions?: readonly ScoreContribution[];
}
