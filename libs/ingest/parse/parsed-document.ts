/**
 * How a document is cut: by syntax or statement, by heading, or by blank lines. A page is cut by heading too, but its
 * chunks have no lines: those of its text are none that a reader could count.
 */
export type DocumentKind = 'code' | 'prose' | 'lines' | 'page';

/** A document as text, ready for the chunker. */
export interface ParsedDocument {
  readonly path: string;
  readonly kind: DocumentKind;
  /** Lower-case name that citations show: `typescript`, `markdown`, `text`… */
  readonly language: string;
  /** Byte for byte what was fetched, but for invalid UTF-8, which is U+FFFD. No NUL. */
  readonly text: string;
}
