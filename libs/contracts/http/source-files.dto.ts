import { ApiProperty } from '@nestjs/swagger';

import { DEFINITION_KINDS, type DefinitionKind } from '../content/chunk.js';
import { QueryWholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Choice, Text } from './validation/text.js';

/** A version of a source that is still kept. Default: the live one. */
export class SourceVersionQuery {
  /** Generation of the source; it must still be kept. Default: the live one. */
  @Optional()
  @QueryWholeNumber(1, 2_147_483_647)
  generation?: number;

  /**
   * Version of the source, as citations show it; its newest kept generation is read. Of a commit,
   * the first 12 digits are enough, unless two versions begin so.
   */
  @Optional()
  @Text({ max: 512 })
  version_ref?: string;
}

export class SourceTreeQuery extends SourceVersionQuery {
  /** Folder to list. Default: the root. */
  @Optional()
  @Text({ max: 4096 })
  @ApiProperty({ example: 'src/flask' })
  path?: string;

  /** Levels below the folder. Default 1; with `glob`, all. */
  @Optional()
  @QueryWholeNumber(1, 100)
  depth?: number;

  /** Only files whose whole path matches. */
  @Optional()
  @Text({ max: 256 })
  @ApiProperty({ example: 'src/**/*.py' })
  glob?: string;

  /** Number of entries to skip at the start. */
  @Optional()
  @QueryWholeNumber(0, 999_999_999)
  skip: number = 0;

  /** Maximum number of entries. */
  @Optional()
  @QueryWholeNumber(1, 1000)
  limit: number = 200;
}

const TREE_KINDS = ['file', 'folder'] as const;

export class TreeEntryView {
  path: string;
  @ApiProperty({ enum: [...TREE_KINDS] })
  kind: (typeof TREE_KINDS)[number];
  /** Number of files below a folder; 1 for a file. */
  @ApiProperty({ type: 'integer' })
  files: number;
  /** Language by the name of the file; null for folders and files that are not indexed. */
  @ApiProperty({ type: String, nullable: true })
  language: string | null;
  /**
   * Reason that a file is not indexed, such as `binary`, `generated`, `minified` or `lfs`; null for
   * indexed files and folders.
   */
  @ApiProperty({ type: String, nullable: true })
  skipped: string | null;
}

/** A page of the files and folders of a version, in the order of their paths. */
export class SourceTreeView {
  source_id: string;
  @ApiProperty({ type: 'integer' })
  generation: number;
  version_ref: string;
  /** Number of entries on all pages. */
  @ApiProperty({ type: 'integer' })
  total: number;
  @ApiProperty({ type: [TreeEntryView] })
  entries: readonly TreeEntryView[];
}

export class SourceFileQuery extends SourceVersionQuery {
  /** Path of the document, without a fragment. */
  @Text({ max: 4096 })
  @ApiProperty({ example: 'src/flask/app.py' })
  path: string;

  /** `text` returns the whole text as `text/plain`, as does `Accept: text/plain`. */
  @Optional()
  @Choice('json', 'text')
  format: 'json' | 'text' = 'json';

  /** First line, from 1. Default 1. */
  @Optional()
  @QueryWholeNumber(1, 999_999_999)
  from_line?: number;

  /** Last line, inclusive; at most 2,000 lines are returned. Default: the end, or 2,000 lines. */
  @Optional()
  @QueryWholeNumber(1, 999_999_999)
  to_line?: number;
}

export class SourceOutlineQuery extends SourceVersionQuery {
  /** Path of the file. */
  @Text({ max: 4096 })
  @ApiProperty({ example: 'src/flask/app.py' })
  path: string;

  /** Number of definitions to skip at the start. */
  @Optional()
  @QueryWholeNumber(0, 999_999_999)
  skip: number = 0;

  /** Maximum number of definitions. */
  @Optional()
  @QueryWholeNumber(1, 1000)
  limit: number = 500;
}

export class OutlineEntryView {
  @ApiProperty({ example: 'run' })
  name: string;
  /** Name below the definitions around it; of over six levels the innermost. */
  @ApiProperty({ example: 'Flask.run' })
  symbol: string;
  /** Symbol of the definition around it or its owner; null at the top level. */
  @ApiProperty({ type: String, nullable: true, example: 'Flask' })
  parent: string | null;
  /** First line, from 1, with the comments and attributes directly above. */
  @ApiProperty({ type: 'integer' })
  start_line: number;
  /** Last line. */
  @ApiProperty({ type: 'integer' })
  end_line: number;
  /** Kind of the definition; null if an earlier version indexed the file. */
  @ApiProperty({ enum: [...DEFINITION_KINDS], nullable: true, example: 'method' })
  kind: DefinitionKind | null;
  /** Line of the name, from 1; null if an earlier version indexed the file. */
  @ApiProperty({ type: 'integer', nullable: true })
  line: number | null;
  /** First column of the name in UTF-16 units, from 1. */
  @ApiProperty({ type: 'integer', nullable: true })
  column: number | null;
}

/** A page of the definitions of a file, in its order. */
export class SourceOutlineView {
  source_id: string;
  @ApiProperty({ type: 'integer' })
  generation: number;
  version_ref: string;
  path: string;
  /** Number of definitions on all pages. */
  @ApiProperty({ type: 'integer' })
  total: number;
  @ApiProperty({ type: [OutlineEntryView] })
  definitions: readonly OutlineEntryView[];
  /** Defined names whose lines are not recorded: of specifications and of old versions. */
  @ApiProperty({ type: [String] })
  unplaced_names: readonly string[];
  /** States what a rebuild of the source adds, such as kinds of definitions. */
  @ApiProperty({ type: [String] })
  warnings: readonly string[];
}

/**
 * Reasons for which a text can differ from the fetched bytes.
 * - `converted`: the document is a page, a PDF or a part of a specification.
 * - `unknown_gaps`: the sync did not record the blank lines between passages; the next one does.
 * - `redacted`: the text has a marker of a secret, which was replaced before anything was stored.
 * - `not_utf8`: the text has U+FFFD, which replaces invalid UTF-8.
 */
const FILE_DIFFERENCES = ['converted', 'unknown_gaps', 'redacted', 'not_utf8'] as const;
export type FileDifference = (typeof FILE_DIFFERENCES)[number];

/** Lines of a file at a version. */
export class SourceFileView {
  source_id: string;
  @ApiProperty({ type: 'integer' })
  generation: number;
  version_ref: string;
  path: string;
  /** Null for a file without text. */
  @ApiProperty({ type: String, nullable: true, example: 'python' })
  language: string | null;
  @ApiProperty({ type: 'integer' })
  from_line: number;
  /** Last line in this answer; 0 for an empty file. */
  @ApiProperty({ type: 'integer' })
  to_line: number;
  @ApiProperty({ type: 'integer' })
  total_lines: number;
  /** First line of the next request; null at the end. */
  @ApiProperty({ type: 'integer', nullable: true })
  next_line: number | null;
  /** Lines without their `\n`; a `\r` stays. */
  @ApiProperty({ type: [String] })
  lines: readonly string[];
  /** True if the last line of the file ends with `\n`. */
  final_newline: boolean;
  /** True if the text equals the fetched bytes. */
  exact: boolean;
  /** Reasons for which it can differ; empty if it is exact. */
  @ApiProperty({ enum: [...FILE_DIFFERENCES], isArray: true })
  differences: readonly FileDifference[];
  /** Git blob id or content hash of the fetched file. */
  version: string;
}
