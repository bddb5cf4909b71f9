import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { MOST_CHAT_DOCUMENTS, MOST_MENTIONS } from '../content/answer-limits.js';
import { type Ecosystem, ECOSYSTEMS } from '../content/package-version.js';
import { Id, IdList } from './validation/list.js';
import { Flag, WholeNumber } from './validation/number.js';
import { NestedList } from './validation/object.js';
import { Optional } from './validation/rule.js';
import { Choice, Text } from './validation/text.js';

const MAX_IDS = 1000;
const MAX_QUESTION = 2000;

const CHAT_SCOPES = ['service_docs'] as const;
export type ChatScope = (typeof CHAT_SCOPES)[number];

export class ChatBody {
  /** The question. */
  @Text({ max: MAX_QUESTION })
  @ApiProperty({ example: 'How are request contexts pushed?' })
  query: string;

  /** Continues a conversation of the signed-in person. */
  @Optional()
  @Id()
  conversation_id?: string;

  /**
   * Maximum number of documents (files, pages) that the answer may cite, with as many passages as
   * the budget allows.
   */
  @Optional()
  @WholeNumber(1, MOST_CHAT_DOCUMENTS)
  top_k: number = 5;

  /** Budget over the tokens of those passages. */
  @Optional()
  @WholeNumber(100, 32_000)
  max_context_tokens: number = 4000;

  /** Whether packages that the tenant has linked are looked in too. */
  @Optional()
  @Flag()
  include_global: boolean = true;

  /** Look only in these sources; unknown ids are ignored. Default: all. */
  @Optional()
  @IdList(MAX_IDS)
  source_ids?: string[];

  /** `service_docs`: look in Footnote's own documentation, and nowhere else. */
  @Optional()
  @Choice(...CHAT_SCOPES)
  scope?: ChatScope;
}

/** A package that a question is about. */
export class PackageMention {
  /** As people write it: `react`, `@nestjs/core`. */
  @Text({ max: 300, kind: 'name' })
  @ApiProperty({ example: 'react' })
  package_name: string;

  @Choice(...ECOSYSTEMS)
  ecosystem: Ecosystem;
}

export class ChatStreamBody extends ChatBody {
  /**
   * Packages to look in too, in their latest versions; those that are not indexed yet are first,
   * within a time.
   */
  @Optional()
  @NestedList(() => PackageMention, MOST_MENTIONS)
  package_mentions?: PackageMention[];
}

/** A passage that an answer cites. Fields that do not apply are left out. */
export class ChatCitationView {
  /** The mark in the answer that it belongs to: `[1]`. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  number: number;
  source_name: string;
  /** The passage, at most 1,000 characters of it. */
  content: string;
  /** 0–1. */
  score: number;
  /** File path or URL. */
  path: string;
  source_id: string;
  chunk_id: string;
  symbol?: string;
  /** 1-based. */
  start_line?: number;
  /** Inclusive. */
  end_line?: number;
  version_ref: string;
  /** The address where a person can read it, where that is known. */
  url?: string;
}

/** The end of an answer. */
export class ChatSummaryView {
  /** Citations of the answer, in the order of their marks. */
  citations: ChatCitationView[];
  /** Until the evidence was found, milliseconds. */
  search_time_ms: number;
  /** Time that the model took, in milliseconds. */
  completion_time_ms: number;
  total_time_ms: number;
  /** Identifier of the model; `none` where there was nothing to ask one about. */
  model_used: string;
  /** GET /receipts/{id} returns the answer's evidence. */
  receipt_id: string;
  /**
   * Sentences for the reader of the answer: content that could not be searched, and why; missing
   * citations; a cut-off answer. Left out where there are none.
   */
  @ApiPropertyOptional({ type: [String] })
  notices?: string[];
  /** Left out where the answer belongs to no conversation. */
  conversation_id?: string;
}

export class ChatResponseView extends ChatSummaryView {
  /** The answer; `[1]` marks what it cites. */
  answer: string;
}

/** Data of the event `token` of a chat stream. */
export class ChatTokenView {
  /** The next piece of the answer. */
  token: string;
}
