import type { RequiredText } from '#contracts/content/required-text';
import type { StoredDocument } from '#search-index';

import type { DocumentLabel, WrittenMatches } from '../match/line-writer.js';
import type { ScannedRange } from '../match/match-documents.js';
import type { DocumentText, ScannedDocument } from '../match/matched-line.js';
import type { QueryNode } from '../query/query-node.js';
import type { PackedMatches } from './packed-matches.js';

/** A document with its text, or with the place that the thread reads its text from. */
export interface PostedDocument extends Omit<ScannedDocument, 'text'> {
  readonly text: DocumentText | StoredDocument;
  /** Its names in an answer as text; only with {@link MatchRequest.writesText}. */
  readonly label?: DocumentLabel;
}

/** A batch of documents for a thread. */
export interface MatchRequest {
  readonly query: QueryNode;
  readonly documents: readonly PostedDocument[];
  readonly contextLines: number;
  readonly maxLines: number;
  /** Milliseconds after which the thread ends the scan between two parts of a document. */
  readonly budgetMs: number;
  /** Examines each line alone, after an attempt that was too slow. */
  readonly oneByOne: boolean;
  /** True: the answer has lines as text to send. Default false: it has each with its parts. */
  readonly writesText?: boolean;
  /** Its first number is not 0 once nobody waits for the answer. */
  readonly stop: SharedArrayBuffer;
}

/**
 * The answer of a thread; a problem of the expression is part of it. With `unread` the thread could
 * not read the text of a document.
 */
export type MatchAnswer =
  | { readonly kind: 'unread' }
  | (SearchedBatch & { readonly kind: 'matches'; readonly documents: PackedMatches })
  | (SearchedBatch & { readonly kind: 'written'; readonly documents: WrittenMatches })
  | {
      readonly kind: 'bad_pattern';
      readonly message: string;
      readonly position: number | undefined;
      /** See `PatternError`. */
      readonly mayBeText: boolean;
    };

/** The part of an answer besides the matches. */
interface SearchedBatch extends ScannedRange {
  /** True if the query matches blank lines, and some document may have more of them. */
  readonly lacksBlankLines: boolean;
  /**
   * The condition that each document meets which has a match or a marker of a removed secret.
   */
  readonly required: RequiredText;
}
