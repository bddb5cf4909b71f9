import type { SkipReason } from './content-skip.js';

/**
 * Way to cut a document: by syntax or statement, by heading, or by blank lines. A page is cut by
 * heading too, but its chunks have no lines: readers cannot count the lines of its text. A part of
 * an OpenAPI specification is already cut.
 */
export type DocumentKind = 'code' | 'prose' | 'lines' | 'page' | 'openapi';

/**
 * A place in a page that a link can lead to. It is in force from its row on, up to the row of the
 * next one.
 */
export interface Mark {
  /** 0-based line of the text. */
  readonly row: number;
  /** `#install`, `#page=3`; null where no place is in force. */
  readonly fragment: string | null;
  /** Boundary that a chunk never crosses: the text after it is on another page. */
  readonly breaks?: true;
}

/** Start of a section of a page. */
export interface PageHeading {
  /** 0-based line of the text. */
  readonly row: number;
  /** 1 is the outermost: the section ends where one of the same or an outer level begins. */
  readonly level: number;
  /** Null for text that belongs to the surrounding section, not to the one before it. */
  readonly title: string | null;
}

/** A document as text, ready for the chunker. */
export interface ParsedDocument {
  readonly path: string;
  readonly kind: DocumentKind;
  /** Lower-case name that citations show: `typescript`, `markdown`, `text`… */
  readonly language: string;
  /** Text identical to the fetched bytes, except for invalid UTF-8, which is U+FFFD. No NUL. */
  readonly text: string;
  /**
   * Marks of a page, in the order of their rows. A chunk has the fragment that is in force at its
   * first line.
   */
  readonly marks?: readonly Mark[];
  /**
   * Headings of a page in the order of their rows, if its format has them. Then no text is
   * interpreted as a heading.
   */
  readonly headings?: readonly PageHeading[];
}

export type ParseResult = ParsedDocument | { readonly skipped: SkipReason };

export function isSkipped(result: ParseResult): result is { readonly skipped: SkipReason } {
  return 'skipped' in result;
}
