import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { ANSWER_OUTCOMES, type AnswerOutcome } from '../events/answer.events.js';
import type { PolicySettings } from '../events/policy.events.js';
import { RECEIPT_KINDS, type ReceiptKind, type ReceiptParameters } from '../events/receipt.js';
import { SourcePrioritiesView } from './policy.dto.js';

/** The parameters of a search besides its query, with every default filled in. */
export class ReceiptParametersView implements ReceiptParameters {
  max_tokens: number;
  top_k: number;
  include_stale: boolean;
  /** Left out where the search named none. */
  source_ids?: string[];
  path_patterns?: string[];
  languages?: string[];
  /** Multi-hop searches only, as the three after it. */
  max_rounds?: number;
  neighbor_line_radius?: number;
  expand_neighbors?: boolean;
  secondary_search?: boolean;
  /** Code searches only, as the four after it; their limit is `top_k`. */
  regex?: boolean;
  case_sensitive?: boolean;
  word?: boolean;
  context_lines?: number;
  /** Left out of a first page. */
  cursor?: string;
}

/** The result of a code search, which can be repeated and compared. */
export class ReceiptCodeView {
  /** Matching lines, and the documents that contain them. */
  lines: number;
  files: number;
  /** Documents that were examined as a whole. */
  documents: number;
  /** Lines of the next document that were examined; left out if none were. */
  partial_lines?: number;
  /** True if every document in scope was examined: without lines, the pattern occurred nowhere. */
  complete: boolean;
  /** Why it is not complete; left out where it is. */
  reason?: string;
  /** SHA-256 over source, generation, path, line and ranges of each matching line. */
  digest: string;
}

export class ReceiptPolicyView implements PolicySettings {
  staleness_budget_seconds: number;
  source_priorities: SourcePrioritiesView;
  min_evidence_count: number;
  min_evidence_score: number;
  enforce_staleness: boolean;
  enforce_refusal: boolean;
}

/** A source at the generation that the search saw. */
export class ReceiptGenerationView {
  source_id: string;
  source_name: string;
  generation: number;
  version_ref: string;
  synced_at: string;
  /** False once it was dropped: the search cannot be replayed then. */
  kept: boolean;
}

export class ReceiptResultView {
  chunk_id: string;
  source_id: string;
  generation: number;
  /**
   * 0–1, to six decimals as all scores here; null for a chunk that was added only as a neighbor of
   * a hit.
   */
  @ApiProperty({ type: Number, nullable: true })
  keyword_score: number | null;
  @ApiProperty({ type: Number, nullable: true })
  vector_score: number | null;
  /**
   * Combined score of both retrievers, after the ranker's boosts and priors, before the source
   * priority.
   */
  @ApiProperty({ type: Number, nullable: true })
  combined_score: number | null;
  /** The policy's, of the source's type. */
  priority: number;
  /** As the answer had it. */
  score: number;
}

/** Outcomes of reranking: its order was used, came too late, or there was no valid one. */
const RERANK_OUTCOMES = ['applied', 'late', 'failed'] as const;

/** A reranker that received the query and the first passages. */
export class ReceiptRerankerView {
  model: string;
  /** Without `applied`, the results have the order without the reranker. */
  @ApiProperty({ enum: [...RERANK_OUTCOMES] })
  outcome: (typeof RERANK_OUTCOMES)[number];
}

/** The words that were answered to the question of a chat. */
export class ReceiptAnswerView {
  @ApiProperty({ enum: [...ANSWER_OUTCOMES] })
  outcome: AnswerOutcome;
  /** Null where no model was asked. */
  @ApiProperty({ type: String, nullable: true })
  model: string | null;
  /** Null once the tenant's data key was destroyed. */
  @ApiProperty({ type: String, nullable: true })
  text: string | null;
  /** Numbers of `results`, from 1, that the answer cites. */
  @ApiProperty({ type: [Number] })
  cited: number[];
  /** Tokens as the model counts them; left out where it counts none. */
  prompt_tokens?: number;
  completion_tokens?: number;
}

/** The evidence of the answer to a search. */
export class ReceiptView {
  id: string;
  @ApiProperty({ enum: [...RECEIPT_KINDS] })
  kind: ReceiptKind;
  /** The search's clock: what age and staleness were counted to. */
  created_at: string;
  /** Null once the tenant's data key was destroyed, the filters among the parameters with it. */
  @ApiProperty({ type: String, nullable: true })
  query: string | null;
  query_erased: boolean;
  /**
   * Only for a chat whose question was searched for in other words: the question as it was asked.
   */
  question?: string;
  /** Only for a chat. Left out where it has no answer: the model failed, or is still writing. */
  answer?: ReceiptAnswerView;
  parameters: ReceiptParametersView;
  /** Past moment that was searched, whose clock counts; absent for the present. */
  @ApiPropertyOptional({ format: 'date-time' })
  as_of?: string;
  /** Record of the audit trail that the moment is; null before the first. */
  @ApiPropertyOptional({ type: 'integer', nullable: true })
  as_of_seq?: number | null;
  /** Revision of the policy's stream; null while the policy was never changed. */
  @ApiProperty({ type: Number, nullable: true })
  policy_revision: number | null;
  policy: ReceiptPolicyView;
  /**
   * Everything live of the tenant then: what was searched, less `source_ids`, and what term
   * statistics were taken over.
   */
  live_generations: ReceiptGenerationView[];
  /**
   * True where some of that could not be searched, because its content was missing: the search
   * cannot be replayed then.
   */
  incomplete: boolean;
  /** Models that the query was embedded with. */
  models: string[];
  /** The reranker of the search. Left out if none was asked, and once the query was erased. */
  reranker?: ReceiptRerankerView;
  /** Version of the ranking that ordered the results; null for versions before 2. */
  @ApiProperty({ type: Number, nullable: true })
  ranking_version: number | null;
  /** Version of the retrievers; null for versions before 2, which compared every vector. */
  @ApiProperty({ type: Number, nullable: true })
  retrieval_version: number | null;
  @ApiProperty({ enum: ['results', 'no_evidence'] })
  outcome: 'results' | 'no_evidence';
  results: ReceiptResultView[];
  /** Only for a code search, which has no `results`. */
  code?: ReceiptCodeView;
}
