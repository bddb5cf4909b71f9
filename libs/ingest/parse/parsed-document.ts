import type { SkipReason } from './content-skip.js';

/**
 * How a document is cut: by syntax or statement, by heading, or by blank lines. A page is cut by
 * heading too, but its chunks have no lines: those of its text are none that a reader could count.
 * A part of an OpenAPI specification comes cut.
 */
export type DocumentKind = 'code' | 'prose' | 'lines' | 'page' | 'openapi';

/**
 * A place in a page that a reader can be sent to: it is in force from its row on, up to the next
 * one's.
 */
export interface Mark {
  /** 0-based line of the text. */
  readonly row: number;
  /** `#install`, `#page=3`; null where no place is in force any more. */
  readonly fragment: string | null;
  /** A chunk never crosses it: what follows is on another page. */
  readonly breaks?: true;
}

/** Where a section of a page begins. */
export interface PageHeading {
  /** 0-based line of the text. */
  readonly row: number;
  /** 1 is the outermost: the section ends where one of the same or an outer level begins. */
  readonly level: number;
  /** Null where text goes on that belongs to the section around, not to the one before it. */
  readonly title: string | null;
}

/** A document as text, ready for the chunker. */
export interface ParsedDocument {
  readonly path: string;
  readonly kind: DocumentKind;
  /** Lower-case name that citations show: `typescript`, `markdown`, `text`… */
  readonly language: string;
  /** Byte for byte what was fetched, but for invalid UTF-8, which is U+FFFD. No NUL. */
  readonly text: string;
  /**
   * Of a page, in the order of their rows. A chunk has the fragment that is in force at its first
   * line.
   */
  readonly marks?: readonly Mark[];
  /**
   * Of a page, in the order of their rows, where its format tells them: then nothing in the text is
   * taken for a heading.
   */
  readonly headings?: readonly PageHeading[];
}

export type ParseResult = ParsedDocument | { readonly skipped: SkipReason };

export function isSkipped(result: ParseResult): result is { readonly skipped: SkipReason } {
  return 'skipped' in result;
}
