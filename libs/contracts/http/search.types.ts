import type { ChunkType } from '../content/chunk.js';

/**
 * The origin of a result. Fields that do not apply are absent: lines outside code and prose files,
 * a symbol where the chunk has none.
 */
export interface Citation {
  readonly chunk_id: string;
  readonly source_id: string;
  readonly source_name: string;
  /** File path or URL of the document, with the fragment of the passage where it has one. */
  readonly path: string;
  readonly symbol?: string;
  /** 1-based, inclusive. */
  readonly start_line?: number;
  readonly end_line?: number;
  /** Commit SHA or version of the live generation. */
  readonly version_ref: string;
  readonly language: string;
  readonly chunk_type: ChunkType;
  /**
   * The address where a person can read the cited passage at that version, if a web address is
   * known.
   */
  readonly url?: string;
}

/** Amount that one part of ranking added to a score; negative where it lowered the score. */
export interface ScoreContribution {
  readonly name: string;
  readonly value: number;
}

/** The computation of a score. The contributions sum to the score. */
export interface ScoreExplanation {
  readonly score: number;
  /** In the order of ranking; parts that changed nothing are left out. */
  readonly contributions: readonly ScoreContribution[];
}

/** Lines inside a cited range: 1-based, inclusive. */
export interface BestLines {
  readonly start_line: number;
  readonly end_line: number;
}

export interface SearchResult {
  readonly content: string;
  /** 0–1 before the source priority, which may raise it above 1. */
  readonly score: number;
  readonly token_count: number;
  readonly citation: Citation;
  /**
   * Other places that matched with the same content or in another language, best first; absent
   * without any.
   */
  readonly also_at?: readonly Citation[];
  /**
   * At most eight of the cited lines that have most of the query's terms; absent where the lines
   * are few or have no term.
   */
  readonly best_lines?: BestLines;
  /** Days since the source's last successful sync. */
  readonly freshness_days: number;
  /** True if the source is past the staleness budget. */
  readonly is_stale: boolean;
  /** Only of searches that ask for it. */
  readonly explanation?: ScoreExplanation;
}

export const CONFIDENCES = ['insufficient', 'low', 'medium', 'high'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export interface EvidenceQuality {
  /** 0–1; docs/evaluation/evidence.md has the formula. */
  readonly score: number;
  readonly evidence_count: number;
  readonly avg_freshness_days: number;
  readonly has_conflicts: boolean;
  readonly confidence: Confidence;
}

/** Over the sources that have results. */
export interface StalenessSummary {
  readonly total_sources: number;
  readonly fresh_sources: number;
  readonly stale_sources: number;
  readonly staleness_budget_days: number;
  readonly stale_source_names: readonly string[];
}

/** One endpoint that sources describe differently. */
export interface Conflict {
  readonly endpoint_key: string;
  readonly sources: readonly string[];
  readonly schema_hashes: readonly string[];
  readonly description: string;
}

export interface SearchResponse {
  readonly results: readonly SearchResult[];
  readonly total_results: number;
  readonly total_tokens: number;
  readonly sources_searched: number;
  readonly sources_with_results: number;
  readonly evidence_quality: EvidenceQuality;
  readonly staleness_summary: StalenessSummary;
  readonly conflicts: readonly Conflict[];
  readonly warnings: readonly string[];
  readonly query: string;
  readonly search_time_ms: number;
}

/** Summary of a recursive multi-hop search; counts refer to the chunks in the answer. */
export interface MultiHopSummary {
  /** Hybrid searches that ran, the seed search included. */
  readonly rounds_executed: number;
  /** Results of the seed search, at most `top_k`. */
  readonly seed_result_count: number;
  /** Chunks in the answer that were added only as neighbors of a hit. */
  readonly neighbors_added: number;
  readonly secondary_search_ran: boolean;
  /** Chunks in the answer that were joined with others into one result. */
  readonly merged_chunk_count: number;
}

export interface MultiHopResponse extends SearchResponse {
  readonly rmh: MultiHopSummary;
}

/** The answer instead of results when nothing is relevant, or the policy refuses what is. */
export interface NoEvidence {
  readonly message: string;
  readonly query: string;
  readonly sources_searched: number;
  readonly suggestions: readonly string[];
}
