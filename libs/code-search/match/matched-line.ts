import type { WholeDocument } from '#search-index/pack/stored-document-reader';

import type { ByteSpan } from '../pattern/line-engine.port.js';

/** A chunk of a document as the scan reads it. */
export interface TextPiece {
  /** 1-based; absent for documents without lines of their own. */
  readonly startLine: number | undefined;
  readonly content: string;
  /** White space before it, and after the last one; absent if the index does not have it. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The text of a document: as a whole, or in pieces in its order. */
export type DocumentText = WholeDocument | { readonly pieces: readonly TextPiece[] };

/** A definition of a document. */
export interface SymbolLine {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
}

/** A document to scan. */
export interface ScannedDocument {
  readonly path: string;
  /** Name of its source. */
  readonly repo?: string;
  readonly language?: string;
  /** Definitions with the lines of their names; only if the query needs them. */
  readonly symbols?: readonly SymbolLine[];
  readonly text: DocumentText;
  /** Begins after this line; an earlier page examined it. */
  readonly afterLine?: number | undefined;
  /** Ends with this line, as a recorded search did. */
  readonly untilLine?: number | undefined;
}

/** A line with at least one match. */
export interface MatchedLine {
  /** 1-based, in the document as `GET /sources/{id}/content` shows it. */
  readonly number: number;
  readonly text: string;
  /** Matches in bytes of the whole line. */
  readonly ranges: readonly ByteSpan[];
  /** True if the line is longer than `text`. */
  readonly clipped: boolean;
  /** Index of the piece that contains the line; undefined between pieces. */
  readonly piece: number | undefined;
  /** Lines before it that no earlier match shows. */
  readonly before: readonly string[];
  /** Lines after it, up to the next match. */
  readonly after: readonly string[];
}
