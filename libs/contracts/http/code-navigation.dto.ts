import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { DEFINITION_KINDS, type DefinitionKind } from '../content/chunk.js';
import { CommaSeparated, IdList, TextList } from './validation/list.js';
import { QueryFlag, QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Text } from './validation/text.js';

const MAX_IDS = 1000;
const MAX_CURSOR = 8192;
/** Maximum characters of a name. */
const MAX_NAME = 200;
/** Maximum definitions or lines of an answer. */
const MOST_ENTRIES = 500;
const LAST_LINE = 999_999_999;
const MOST_TIMEOUT_MS = 10_000;

/** The scope of a request for definitions or references. */
class NavigationScopeQuery {
  /** Comma-separated: only these sources; unknown ids are ignored. Default: all. */
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

  /** Maximum number of entries. */
  @Optional()
  @QueryWholeNumber(1, MOST_ENTRIES)
  limit: number = 100;

  /** `next_cursor` of an incomplete answer to the same request. */
  @Optional()
  @Text({ max: MAX_CURSOR })
  cursor?: string;
}

export class SymbolsQuery extends NavigationScopeQuery {
  /** A name, its beginning, or its humps: `KC` finds `KafkaConsumer`. */
  @Text({ max: MAX_NAME })
  @ApiProperty({ example: 'KC' })
  query: string;
}

/** A name, or the place of an identifier in a file of a source. */
export class DefinitionsQuery extends NavigationScopeQuery {
  /** The exact name. Left out with a place. */
  @Optional()
  @Text({ max: MAX_NAME })
  @ApiProperty({ example: 'KafkaConsumer' })
  name?: string;

  /** Source of the place; also needs `path`, `line` and `column`. */
  @Optional()
  @Text({ max: 36 })
  source_id?: string;

  /** Path of the file. */
  @Optional()
  @Text({ max: 4096 })
  path?: string;

  /** Line of the identifier in the live version, from 1. */
  @Optional()
  @QueryWholeNumber(1, LAST_LINE)
  line?: number;

  /** A column of the identifier in UTF-16 units, from 1. */
  @Optional()
  @QueryWholeNumber(1, LAST_LINE)
  column?: number;
}

/** A name, or the place of an identifier, whose references are wanted. */
export class ReferencesQuery extends DefinitionsQuery {
  /** Maximum number of lines with references; a line may have several. */
  @Optional()
  @QueryWholeNumber(1, MOST_ENTRIES)
  override limit: number = 100;

  /** Milliseconds after which the request returns what it found so far. */
  @Optional()
  @QueryWholeNumber(1, MOST_TIMEOUT_MS)
  timeout_ms: number = 2000;
}

const PRECISIONS = ['precise', 'resolved', 'name'] as const;
/**
 * Certainty of a definition or reference.
 * - `precise`: an indexer found it, in a file that has not changed since.
 * - `resolved`: scopes and imports lead to it.
 * - `name`: it has the name.
 */
export type Precision = (typeof PRECISIONS)[number];

const MATCHES = ['exact', 'case', 'prefix', 'prefix_case', 'humps'] as const;

/** The place of a definition. */
export class DefinitionView {
  name: string;
  /** Name below the definitions around it. */
  @ApiProperty({ example: 'Cart.total' })
  symbol: string;
  /** Symbol of the definition around it or its owner; null at the top level. */
  @ApiProperty({ type: String, nullable: true })
  parent: string | null;
  /** Null if an earlier version indexed the content. */
  @ApiProperty({ enum: [...DEFINITION_KINDS], nullable: true })
  kind: DefinitionKind | null;
  @ApiProperty({ enum: [...PRECISIONS] })
  precision: Precision;
  /** Match of the name with the query; `case` and `prefix_case` ignore case. */
  @ApiProperty({ enum: [...MATCHES] })
  match: (typeof MATCHES)[number];
  source_id: string;
  source_name: string;
  path: string;
  /** Commit or version of the content. */
  version_ref: string;
  language: string;
  /** The address of the definition at that version, where one is known. */
  @ApiPropertyOptional({ format: 'uri' })
  url?: string;
  is_stale: boolean;
  /** Line of the name, from 1; null if an earlier version indexed the content. */
  @ApiProperty({ type: 'integer', nullable: true })
  line: number | null;
  /** First column of the name in UTF-16 units, from 1. */
  @ApiProperty({ type: 'integer', nullable: true })
  column: number | null;
  /** Lines of the definition; null where lines mean nothing. */
  @ApiProperty({ type: 'integer', nullable: true })
  start_line: number | null;
  @ApiProperty({ type: 'integer', nullable: true })
  end_line: number | null;
}

/** Number of entries of an answer by precision. */
export class PrecisionCounts {
  @ApiProperty({ type: 'integer' })
  precise: number;
  @ApiProperty({ type: 'integer' })
  resolved: number;
  @ApiProperty({ type: 'integer' })
  name: number;
}

const REASONS = ['limit', 'deadline', 'content_missing'] as const;

/** Definitions: first by closeness of the name, then by policy priority, path and place. */
export class DefinitionsView {
  /** The name or its beginning that was looked up. */
  query: string;
  @ApiProperty({ type: [DefinitionView] })
  definitions: readonly DefinitionView[];
  /** Number of definitions in this answer. */
  @ApiProperty({ type: 'integer' })
  count: number;
  precision: PrecisionCounts;
  /** True if this answer has the last definitions that exist. */
  complete: boolean;
  /** Why it has not; left out of a complete answer. */
  @ApiPropertyOptional({ enum: [...REASONS] })
  incomplete_reason?: (typeof REASONS)[number];
  /** Continues where this answer ended; left out at the end. */
  next_cursor?: string;
  @ApiProperty({ type: 'integer' })
  sources_searched: number;
  @ApiProperty({ type: [String] })
  warnings: readonly string[];
  /** Likely mistakes of the request; only for an empty answer. */
  @ApiProperty({ type: [String] })
  hints: readonly string[];
  search_time_ms: number;
}

const REFERENCE_KINDS = ['definition', 'reference', 'import'] as const;
/** Role of an identifier: it defines the name, uses it, or stands in an import. */
type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** An identifier with the name. */
export class ReferenceView {
  @ApiProperty({ enum: [...REFERENCE_KINDS] })
  kind: ReferenceKind;
  @ApiProperty({ enum: [...PRECISIONS] })
  precision: Precision;
  source_id: string;
  source_name: string;
  path: string;
  /** Commit or version of the content. */
  version_ref: string;
  language: string;
  /** The address of the line at that version, where one is known. */
  @ApiPropertyOptional({ format: 'uri' })
  url?: string;
  is_stale: boolean;
  /** Line of the identifier, from 1. */
  @ApiProperty({ type: 'integer' })
  line: number;
  /** First column of the identifier in UTF-16 units, from 1. */
  @ApiProperty({ type: 'integer' })
  column: number;
  /** The line, at most 1,000 characters. */
  text: string;
  /** True where `text` is cut; left out elsewhere. */
  clipped?: boolean;
  /** Symbol of the innermost definition around the identifier; null at the top level. */
  @ApiProperty({ type: String, nullable: true, example: 'Cart.total' })
  symbol: string | null;
}

/** References by policy priority and name of their sources, then by path and place. */
export class ReferencesView {
  /** The name that was looked up. */
  query: string;
  @ApiProperty({ type: [ReferenceView] })
  references: readonly ReferenceView[];
  /** Number of references in this answer. */
  @ApiProperty({ type: 'integer' })
  count: number;
  precision: PrecisionCounts;
  /** Identifiers with the name that stand for another definition, or for a name in a function. */
  @ApiProperty({ type: 'integer' })
  left_out: number;
  /** True if every document in scope was examined, or every one after the cursor. */
  complete: boolean;
  /** Why it is not; left out of a complete answer. */
  @ApiPropertyOptional({ enum: [...REASONS] })
  incomplete_reason?: (typeof REASONS)[number];
  /** Continues where this answer ended; left out at the end. */
  next_cursor?: string;
  @ApiProperty({ type: 'integer' })
  sources_searched: number;
  @ApiProperty({ type: 'integer' })
  documents_examined: number;
  @ApiProperty({ type: [String] })
  warnings: readonly string[];
  /** Likely mistakes of the request; only for an empty answer. */
  @ApiProperty({ type: [String] })
  hints: readonly string[];
  search_time_ms: number;
}
