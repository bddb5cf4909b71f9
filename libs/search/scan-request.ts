import type { QueryNode } from '#code-search';
import type { ChunkFilter } from '#search-index';

import type { ScanPlace } from './code-search-scope.js';
import type { LineBudget } from './line-budget.js';
import type { NamedLine } from './line-symbols.js';
import type { ScopedSource } from './search-scope.js';
import type { TextSink } from './text-sink.js';

/** The expression, scope and limits of a scan. */
export interface ScanRequest {
  readonly tenantId: string;
  readonly query: QueryNode;
  /** The field of the request that has the query. */
  readonly field: 'pattern' | 'query';
  readonly filter: ChunkFilter | undefined;
  readonly contextLines: number;
  /** Maximum matching lines, or sources. */
  readonly limit: number;
  /** Bounds the tokens of the lines; default: they have no bound. */
  readonly budget?: LineBudget | undefined;
  /** True: each source with a matching document is listed once, without lines. */
  readonly listsSources?: boolean | undefined;
  /** Called with each file once it is found. */
  readonly onFile?: ((file: ScannedFile) => void) | undefined;
  /** Takes the lines as text in place of files; not with `budget`, `listsSources` or `onFile`. */
  readonly text?: TextSink | undefined;
  /** Continues after this place. */
  readonly after: ScanPlace | undefined;
  /** Ends where a recorded scan ended. */
  readonly end: ScanEnd | undefined;
  /** Returns the milliseconds that are left. */
  readonly remainingMs: () => number;
  /** Aborts when nobody waits for the result any more. */
  readonly gone?: AbortSignal | undefined;
  /** Ends the scan as the deadline does. */
  readonly ended?: AbortSignal | undefined;
}

/** The place at which a deadline ended a scan. */
export interface ScanEnd {
  /** Documents that were examined as a whole. */
  readonly documents: number;
  /** Lines of the next document that were examined. */
  readonly lines: number;
}

export interface ScannedFile {
  readonly scoped: ScopedSource;
  readonly path: string;
  readonly language: string;
  readonly lines: readonly NamedLine[];
}

export interface ScanResult {
  /** None if the lines were taken as text. */
  readonly files: readonly ScannedFile[];
  /** Matching documents, or sources. */
  readonly fileCount: number;
  readonly count: number;
  /** Hash of the matches. */
  readonly digest: string;
  readonly end: ScanEnd;
  /** Examined documents with removed secrets, by id of their source. */
  readonly redacted: ReadonlyMap<string, number>;
  /** Lines that were too slow to examine. */
  readonly skippedLines: readonly SkippedLine[];
  /** Why the scan ended early; undefined if it reached the end. */
  readonly reason: 'limit' | 'deadline' | undefined;
  /** The place to continue after; undefined at the end. */
  readonly place: ScanPlace | undefined;
  /** True if the query matches blank lines, and the index may not have all of them. */
  readonly lacksBlankLines: boolean;
}

/** A line that the query could not be matched with in time; 0 stands for a whole document. */
export interface SkippedLine {
  readonly path: string;
  readonly line: number;
}
