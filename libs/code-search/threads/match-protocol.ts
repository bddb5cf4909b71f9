import type { RequiredText } from '#contracts/content/required-text';
import type { StoredDocument } from '#search-index';

import type { DocumentMatches } from '../match/match-documents.js';
import type { DocumentText, ScannedDocument } from '../match/matched-line.js';
import type { QueryNode } from '../query/query-node.js';
import type { PackedMatches } from './packed-matches.js';

/** A document with its text, or with the place that the thread reads its text from. */
export interface PostedDocument extends Omit<ScannedDocument, 'text'> {
  readonly text: DocumentText | StoredDocument;
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
  /** Its first number is not 0 once nobody waits for the answer. */
  readonly stop: SharedArrayBuffer;
}

/**
 * The answer of a thread; a problem of the expression is part of it. With `unread` the thread could
 * not read the text of a document.
 */
export type MatchAnswer =
  | { readonly kind: 'unread' }
  | ({
      readonly kind: 'matches';
      /** True if the query matches blank lines, and some document may have more of them. */
      readonly lacksBlankLines: boolean;
      /**
       * The condition that each document meets which has a match or a marker of a removed secret.
       */
      readonly required: RequiredText;
      readonly documents: PackedMatches;
    } & Omit<DocumentMatches, 'documents'>)
  | {
      readonly kind: 'bad_pattern';
      readonly message: string;
      readonly position: number | undefined;
      /** See `PatternError`. */
      readonly mayBeText: boolean;
    };
