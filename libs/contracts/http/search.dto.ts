import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { MOST_TOP_K } from '../content/answer-limits.js';
import { CHUNK_TYPES, type ChunkType } from '../content/chunk.js';
import {
  type BestLines,
  type Citation,
  type Confidence,
  CONFIDENCES,
  type Conflict,
  type EvidenceQuality,
  type NoEvidence,
  type ScoreContribution,
  type ScoreExplanation,
  type SearchResponse,
  type SearchResult,
  type StalenessSummary,
} from './search.types.js';
import { CommaSeparated, IdList, TextList } from './validation/list.js';
import { Flag, QueryFlag, QueryWholeNumber, WholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Text } from './validation/text.js';
import { Timestamp } from './validation/timestamp.js';

const MAX_IDS = 1000;
const MAX_QUERY = 2000;

/** Fields of every search by a body. */
export class SearchFields {
  /** The query: words, an identifier or a question. */
  @Text({ max: MAX_QUERY })
  @ApiProperty({ example: 'How are request contexts pushed?' })
  query: string;

  /** Search only these sources; unknown ids are ignored. Default: all. */
  @Optional()
  @IdList(MAX_IDS)
  source_ids?: string[];

  /** Budget over the tokens of all results. */
  @Optional()
  @WholeNumber(1, 32_000)
  max_tokens: number = 4000;

  /** Maximum number of results. */
  @Optional()
  @WholeNumber(1, MOST_TOP_K)
  top_k: number = 10;

  /** False leaves stale results out, where the policy enforces staleness. */
  @Optional()
  @Flag()
  include_stale: boolean = true;

  /**
   * Only documents whose path matches one of these globs; with all alternatives written out, at
   * most 16,384 characters.
   */
  @Optional()
  @TextList({ maxItems: 50, maxLength: 256 })
  path_patterns?: string[];

  /** Only chunks in one of these languages, such as `python`. */
  @Optional()
  @TextList({ maxItems: 50, maxLength: 50 })
  languages?: string[];
}

export class SearchBody extends SearchFields {
  /** True adds to each result how its score was computed. */
  @Optional()
  @Flag()
  explain?: boolean;

  /**
   * Searches the content and policy of this time, inclusive, by the `recorded_at` of the audit
   * trail. Default: now.
   */
  @Optional()
  @Timestamp()
  as_of?: string;

  /** Searches the content and policy as of this record of the audit trail, inclusive. */
  @Optional()
  @WholeNumber(0, Number.MAX_SAFE_INTEGER)
  as_of_seq?: number;
}

export class SearchQuery {
  /** The query: words, an identifier or a question. */
  @Text({ max: MAX_QUERY })
  @ApiProperty({ example: 'How are request contexts pushed?' })
  query: string;

  /** Comma-separated: search only these sources; unknown ids are ignored. Default: all. */
  @Optional()
  @CommaSeparated()
  @IdList(MAX_IDS)
  @ApiProperty({ style: 'form', explode: false } as object)
  source_ids?: string[];

  /** Budget over the tokens of all results. */
  @Optional()
  @QueryWholeNumber(1, 32_000)
  max_tokens: number = 4000;

  /** Maximum number of results. */
  @Optional()
  @QueryWholeNumber(1, MOST_TOP_K)
  top_k: number = 10;

  /** False leaves stale results out, where the policy enforces staleness. */
  @Optional()
  @QueryFlag()
  include_stale: boolean = true;

  /** Comma-separated globs: only documents whose path matches one of them. */
  @Optional()
  @CommaSeparated()
  @TextList({ maxItems: 50, maxLength: 256 })
  path_patterns?: string[];

  /** Comma-separated: only chunks in one of these languages. */
  @Optional()
  @CommaSeparated()
  @TextList({ maxItems: 50, maxLength: 50 })
  languages?: string[];
}

/** The origin of a result. Fields that do not apply are left out. */
export class CitationView implements Citation {
  chunk_id: string;
  source_id: string;
  source_name: string;
  /**
   * File path or URL; of a page or a PDF with where in it the passage is: `#install`, `#page=3`.
   */
  path: string;
  /** Function, class, heading trail or operation. */
  symbol?: string;
  /** 1-based. */
  start_line?: number;
  /** Inclusive. */
  end_line?: number;
  /** Commit or version. */
  version_ref: string;
  language: string;
  @ApiProperty({ enum: [...CHUNK_TYPES] })
  chunk_type: ChunkType;
  /**
   * The address where a person can read the cited passage. For a repository on a known git host:
   * the file at the commit with its lines. For a page or a PDF on the web: its address. Left out
   * elsewhere.
   */
  @ApiPropertyOptional({ format: 'uri' })
  url?: string;
}

/** Amount that one part of ranking added to a score; negative where it lowered the score. */
export class ScoreContributionView implements ScoreContribution {
  /** `lexical` or `semantic`, a step of ranking such as `names`, `priority`, or `passages`. */
  name: string;
  value: number;
}

/** The computation of a score. The contributions sum to the score. */
export class ScoreExplanationView implements ScoreExplanation {
  score: number;
  /** In the order of ranking; parts that changed nothing are left out. */
  contributions: ScoreContributionView[];
}

/** Lines inside the cited range of a result. */
export class BestLinesView implements BestLines {
  /** 1-based. */
  start_line: number;
  /** Inclusive. */
  end_line: number;
}

export class SearchResultView implements SearchResult {
  content: string;
  /** Relevance: 0 to 1, times the policy's source priority. */
  score: number;
  token_count: number;
  citation: CitationView;
  /**
   * Other places that matched with the same content, or as a translation of the page; at most 10,
   * the best first. Left out without any.
   */
  also_at?: CitationView[];
  /**
   * At most eight of the cited lines that have most of the query's terms. Left out after
   * the tenth result, for at most eight cited lines, and where no line has a term.
   */
  best_lines?: BestLinesView;
  /** Days since the source was last synced. */
  freshness_days: number;
  is_stale: boolean;
  /** The computation of the score; only with `explain`. */
  explanation?: ScoreExplanationView;
}

export class EvidenceQualityView implements EvidenceQuality {
  /** 0–1. */
  score: number;
  evidence_count: number;
  avg_freshness_days: number;
  has_conflicts: boolean;
  @ApiProperty({ enum: [...CONFIDENCES] })
  confidence: Confidence;
}

export class StalenessSummaryView implements StalenessSummary {
  total_sources: number;
  fresh_sources: number;
  stale_sources: number;
  staleness_budget_days: number;
  stale_source_names: string[];
}

export class ConflictView implements Conflict {
  /** `METHOD /path` */
  endpoint_key: string;
  sources: string[];
  schema_hashes: string[];
  description: string;
}

export class SearchResponseView implements SearchResponse {
  results: SearchResultView[];
  total_results: number;
  total_tokens: number;
  sources_searched: number;
  sources_with_results: number;
  evidence_quality: EvidenceQualityView;
  staleness_summary: StalenessSummaryView;
  conflicts: ConflictView[];
  warnings: string[];
  query: string;
  search_time_ms: number;
}

/** Nothing relevant was found, or the policy refuses to answer on this evidence. */
export class NoEvidenceView implements NoEvidence {
  message: string;
  query: string;
  sources_searched: number;
  suggestions: string[];
}
