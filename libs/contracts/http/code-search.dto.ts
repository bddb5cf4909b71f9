import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';

import { CommaSeparated, IdList, TextList } from './validation/list.js';
import { Flag, QueryFlag, QueryWholeNumber, WholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Text } from './validation/text.js';

const MAX_IDS = 1000;
/** Maximum characters of a pattern. */
const MAX_PATTERN = 1000;
const MAX_CURSOR = 8192;
/** Maximum matching lines of an answer that is text, which is sent while it is found. */
const MOST_CODE_LINES = 100_000;
/** Maximum matching lines of an answer in another form. */
export const MOST_COLLECTED_CODE_LINES = 1000;
const MOST_CONTEXT = 10;
const MOST_CODE_TOKENS = 32_000;
const MOST_CODE_TIMEOUT_MS = 10_000;

export class CodeSearchBody {
  /** Text or regular expression that a line must contain. Give it or `query`. */
  @Optional()
  @Text({ max: MAX_PATTERN })
  @ApiPropertyOptional({ example: 'NetworkClientUtils' })
  pattern?: string;

  /**
   * Query in place of `pattern`: words, "phrases", /expressions/, `repo:`, `file:`, `lang:`,
   * `sym:`, `content:`, `case:`, `type:`, `-`, `or` and parentheses.
   */
  @Optional()
  @Text({ max: MAX_PATTERN })
  query?: string;

  /** True: the pattern is a regular expression in the syntax of Rust's `regex`. */
  @Optional()
  @Flag()
  regex: boolean = false;

  @Optional()
  @Flag()
  case_sensitive: boolean = true;

  /** True: matches begin and end at word boundaries. */
  @Optional()
  @Flag()
  word: boolean = false;

  /** Search only these sources; unknown ids are ignored. Default: all. */
  @Optional()
  @IdList(MAX_IDS)
  source_ids?: string[];

  /** Only documents whose path matches one of these globs. */
  @Optional()
  @TextList({ maxItems: 50, maxLength: 256 })
  path_patterns?: string[];

  /** Only documents in one of these languages, such as `python`. */
  @Optional()
  @TextList({ maxItems: 50, maxLength: 50 })
  languages?: string[];

  /** False leaves stale sources out, where the policy enforces staleness. */
  @Optional()
  @Flag()
  include_stale: boolean = true;

  /** Lines before and after each match. */
  @Optional()
  @WholeNumber(0, MOST_CONTEXT)
  context_lines: number = 0;

  /**
   * Maximum number of matching lines. Over 1,000 only with `max_tokens`, or as `text/plain`, which
   * is then sent while it is found.
   */
  @Optional()
  @WholeNumber(1, MOST_CODE_LINES)
  limit: number = 100;

  /** Maximum tokens of the lines in their text form (`path:line:text`). Default: no bound. */
  @Optional()
  @WholeNumber(1, MOST_CODE_TOKENS)
  max_tokens?: number;

  /** Milliseconds after which the search returns what it found so far. */
  @Optional()
  @WholeNumber(1, MOST_CODE_TIMEOUT_MS)
  timeout_ms: number = 2000;

  /** `next_cursor` of an incomplete answer to the same request. */
  @Optional()
  @Text({ max: MAX_CURSOR })
  cursor?: string;
}

export class CodeSearchQuery {
  /** Text or regular expression that a line must contain. Give it or `query`. */
  @Optional()
  @Text({ max: MAX_PATTERN })
  @ApiPropertyOptional({ example: 'NetworkClientUtils' })
  pattern?: string;

  /**
   * Query in place of `pattern`: words, "phrases", /expressions/, `repo:`, `file:`, `lang:`,
   * `sym:`, `content:`, `case:`, `type:`, `-`, `or` and parentheses.
   */
  @Optional()
  @Text({ max: MAX_PATTERN })
  query?: string;

  /** True: the pattern is a regular expression in the syntax of Rust's `regex`. */
  @Optional()
  @QueryFlag()
  regex: boolean = false;

  @Optional()
  @QueryFlag()
  case_sensitive: boolean = true;

  /** True: matches begin and end at word boundaries. */
  @Optional()
  @QueryFlag()
  word: boolean = false;

  /** Comma-separated: search only these sources; unknown ids are ignored. Default: all. */
  @Optional()
  @CommaSeparated()
  @IdList(MAX_IDS)
  @ApiProperty({ style: 'form', explode: false } as object)
  source_ids?: string[];

  /** Comma-separated globs: only documents whose path matches one of them. */
  @Optional()
  @CommaSeparated()
  @TextList({ maxItems: 50, maxLength: 256 })
  path_patterns?: string[];

  /** Comma-separated: only documents in one of these languages. */
  @Optional()
  @CommaSeparated()
  @TextList({ maxItems: 50, maxLength: 50 })
  languages?: string[];

  /** False leaves stale sources out, where the policy enforces staleness. */
  @Optional()
  @QueryFlag()
  include_stale: boolean = true;

  /** Lines before and after each match. */
  @Optional()
  @QueryWholeNumber(0, MOST_CONTEXT)
  context_lines: number = 0;

  /**
   * Maximum number of matching lines. Over 1,000 only with `max_tokens`, or as `text/plain`, which
   * is then sent while it is found.
   */
  @Optional()
  @QueryWholeNumber(1, MOST_CODE_LINES)
  limit: number = 100;

  /** Maximum tokens of the lines in their text form (`path:line:text`). Default: no bound. */
  @Optional()
  @QueryWholeNumber(1, MOST_CODE_TOKENS)
  max_tokens?: number;

  /** Milliseconds after which the search returns what it found so far. */
  @Optional()
  @QueryWholeNumber(1, MOST_CODE_TIMEOUT_MS)
  timeout_ms: number = 2000;

  /** `next_cursor` of an incomplete answer to the same request. */
  @Optional()
  @Text({ max: MAX_CURSOR })
  cursor?: string;
}

/** A matching line. */
export class CodeLineView {
  /** 1-based, in the document as `GET /sources/{id}/content` returns it. */
  number: number;
  /** At most 1,000 characters. */
  text: string;
  /** Begin and end of each match in bytes of the whole line; at most 100. */
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
  })
  ranges: (readonly [number, number])[];
  /** True where `text` is cut; left out elsewhere. */
  clipped?: boolean;
  /**
   * Innermost definition around the line; in documents without definitions, the heading trail. Left
   * out where there is none.
   */
  symbol?: string;
  /** Lines before it that no earlier match shows; only with `context_lines`. */
  before?: string[];
  /** Lines after it, up to the next match; only with `context_lines`. */
  after?: string[];
}

/** The matches in one document. */
export class CodeFileView {
  source_id: string;
  source_name: string;
  path: string;
  /** Commit or version that was searched. */
  version_ref: string;
  language: string;
  /** The address of the first match at that version, where one is known. */
  @ApiPropertyOptional({ format: 'uri' })
  url?: string;
  is_stale: boolean;
  lines: CodeLineView[];
}

/** A source with a matching document. */
export class CodeSourceView {
  source_id: string;
  source_name: string;
  /** Commit or version that was searched. */
  version_ref: string;
  is_stale: boolean;
}

/** The request as it was understood, with every default filled in. */
export class CodeQueryView {
  /** The pattern or query as it was given. */
  pattern: string;
  /** The query as it was understood; `i` marks terms that ignore case. */
  parsed: string;
  regex: boolean;
  case_sensitive: boolean;
  word: boolean;
  path_patterns: string[];
  languages: string[];
}

/** Content of a source that code search cannot find. */
export class LeftOutView {
  source_id: string;
  source_name: string;
  /** Files that the sync left out, by reason: `binary`, `generated`, `too_large`, `secret` etc. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  files: Record<string, number>;
  /** Examined documents with removed secrets. */
  redacted_documents: number;
}

const INCOMPLETE_REASONS = ['limit', 'deadline', 'content_missing', 'blank_lines'] as const;
export type IncompleteReason = (typeof INCOMPLETE_REASONS)[number];

export class CodeSearchResponseView {
  query: CodeQueryView;
  /** By policy priority and name of their sources, then by path. */
  files: CodeFileView[];
  /** Only of a query with `type:repo`: the sources with a matching document, each once. */
  sources?: CodeSourceView[];
  /** Matching lines of this answer: exact if the search is complete, else a lower bound. */
  count: number;
  /**
   * True if every document in scope was examined, of a first page, or every one after the cursor: a
   * complete, empty answer proves absence.
   */
  complete: boolean;
  /** Why it is not; left out of a complete answer. */
  @ApiPropertyOptional({ enum: [...INCOMPLETE_REASONS] })
  incomplete_reason?: IncompleteReason;
  /** Continues where this answer ended; left out at the end. */
  next_cursor?: string;
  sources_searched: number;
  documents_examined: number;
  /** Sources of which the sync left files out or removed secrets. */
  left_out: LeftOutView[];
  warnings: string[];
  /** Likely mistakes of the request; only for an empty answer. */
  hints: string[];
  search_time_ms: number;
}

/** The end of a code search that was answered as a stream: all but the files before it. */
export class CodeSearchEndView extends OmitType(CodeSearchResponseView, ['files'] as const) {
  /** The receipt of the whole answer. */
  receipt_id: string;
}
