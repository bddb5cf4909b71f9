import type { ChunkType } from '#contracts';

/** What the ranker reads of a candidate. */
export interface RankCandidate {
  readonly chunkId: string;
  readonly sourceId: string;
  readonly path: string;
  /** Whether the chunk defines a name, exactly. */
  defines(name: string): boolean;
  readonly chunkType: ChunkType;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
  readonly contentHash: string;
  /** Of an OpenAPI operation: what it takes and gives may differ where its words do not. */
  readonly schemaHash?: string | undefined;
  /** Of an OpenAPI operation: `METHOD /path`. */
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
 * Statistics of everything live of the tenant, so that the legs' scores depend neither on filters
 * nor on how content is cut into packs.
 */
export interface CorpusStatistics {
  readonly chunks: number;
  readonly averageLength: number;
  /** In the order of the query's terms. */
  readonly documentFrequencies: readonly number[];
}

/** Shares of the two legs in the combined score; they sum to 1. */
export interface LegWeights {
  readonly lexical: number;
  readonly semantic: number;
}

/** A step of ranking that can be left out, to measure what it earns. */
export type RankStep =
  'names' | 'coherence' | 'coverage' | 'priors' | 'answerability' | 'saturation';

/** How the cosines of an embedding model are used in ranking. */
export interface ModelProfile {
  readonly weights: LegWeights;
  /** Cosine from which a chunk without a single query term is still relevant. */
  readonly similarityFloor: number;
  /**
   * What of the model's cosines says something: the semantic score is 0 at `low` and below, 1 at
   * `high` and above.
   */
  readonly similarityRange: SimilarityRange;
  /**
   * By which it is told whether content is about a question; absent where it was not measured for
   * the model, and is not told.
   */
  readonly questionCosines?: QuestionCosines | undefined;
}

/** How the cosines of a question with all chunks of a corpus are spread. */
export interface QuestionCosines {
  /**
   * The mean that tells nothing: above it the corpus is likelier to be about the question, below it
   * less likely.
   */
  readonly neutral: number;
  /** Their standard deviation. */
  readonly deviation: number;
}

/**
 * Cosines that a model gives to texts that have nothing to do with each other, and to texts that
 * belong together.
 */
export interface SimilarityRange {
  readonly low: number;
  readonly high: number;
}

export interface RankOptions {
  /**
   * The profile of the model behind a candidate's cosine; of candidates without one for undefined.
   * Asked once a model.
   */
  readonly profileOf: (cosineModel: string | undefined) => ModelProfile;
  readonly sourceOf: (sourceId: string) => SourceStanding;
  /**
   * What was searched for a question as it was asked: how many chunks, or null where that is not
   * known. Left out for a query that was made from what is there, which says nothing on whether the
   * question can be answered.
   */
  readonly searched?: { readonly chunks: number | null } | undefined;
  /**
   * Steps left out; none by default. For benchmarks: scores without a step are not those that
   * thresholds were chosen for.
   */
  readonly without?: ReadonlySet<RankStep>;
  /** Whether each chunk carries the contributions to its score; default false, which is free. */
  readonly explain?: boolean | undefined;
}

/** What ranking knows of a source. */
export interface SourceStanding {
  /** The policy's, ≥ 0. */
  readonly priority: number;
  /** Whether paths carry meaning. */
  readonly isRepository: boolean;
  /** Whether its last sync is longer ago than the policy's budget. */
  readonly isStale: boolean;
  /** When it was synced last, milliseconds since 1970. */
  readonly syncedAt: number;
}

/** Amount that one part of ranking added to a score; negative where it lowered the score. */
export interface ScoreContribution {
  readonly name: ScorePart;
  readonly value: number;
}

/** Part of a score: a retriever, a step of ranking, or the source priority. */
export type ScorePart = 'lexical' | 'semantic' | RankStep | 'priority';

/** Scores of the legs, each absolute and 0–1. */
export interface LegScores {
  readonly lexical: number;
  readonly semantic: number;
  /**
   * Weighted sum of the legs after boosts, priors and answerability, before the source priority.
   */
  readonly combined: number;
}

export interface RankedChunk<C extends RankCandidate> {
  readonly candidate: C;
  /** combined × priority × file saturation: what is reported, never rising down the list. */
  readonly score: number;
  readonly priority: number;
  readonly source: SourceStanding;
  readonly legs: LegScores;
  /** Their sum is `score`, to rounding of floating-point numbers. Absent without `explain`. */
  readonly contributions?: readonly ScoreContribution[];
}
