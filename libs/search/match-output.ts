import type { MatchAnswer } from '#code-search/threads/match-protocol';

import type { ScanPlace } from './code-search-scope.js';
import type { Queued } from './scan-batch.js';
import type { ScannedFile } from './scan-request.js';

/** The answer of a thread that searched a batch. */
export type FoundMatches = Extract<MatchAnswer, { readonly kind: 'matches' | 'written' }>;

/** The part of a document's matches that was taken. */
export interface Taken {
  /** False if there was no room for all of its lines. */
  readonly isWhole: boolean;
  /** The last line, `WHOLE` of a document without lines; undefined if nothing of it was taken. */
  readonly line: number | undefined;
}

/** A document of a batch that has matches. */
export interface FoundDocument {
  /** Index among the documents of the batch. */
  readonly index: number;
  readonly take: (queued: Queued) => Taken | Promise<Taken>;
}

/** Takes the matches of a scan in the order of the documents, up to a limit. */
export interface MatchOutput {
  /** Lines, documents without lines, or sources that were taken. */
  readonly count: number;
  /** The files that were taken; none if their lines were taken as text. */
  readonly files: readonly ScannedFile[];
  /** Documents with a match, or sources. */
  readonly fileCount: number;
  /** True if threads write lines as text. */
  readonly writesText: boolean;
  /** Maximum bytes of text in one batch for a thread: some milliseconds of work. */
  readonly batchBytes: number;
  /** Most lines that one batch may have; the scan continues with the rest of it. */
  readonly mostLines: number;
  /** Returns the documents of an answer; each is taken before the next is read. */
  matchesOf(answer: FoundMatches): Iterable<FoundDocument>;
  /**
   * Called after each batch; may wait until there is room for more.
   * @param deadline ends the wait.
   */
  flush(deadline: AbortSignal): Promise<void> | void;
  /** Called after the last batch. */
  end(): void;
  /** Returns the hash of the matches. */
  digest(): string;
  /** Returns a place with what a next page must know of its source. */
  marked(place: ScanPlace): ScanPlace;
}
