/** How a document is cut: by syntax or statement, by heading, or by blank lines. */
export type DocumentKind = 'code' | 'prose' | 'lines';

/** A file as text, ready for the chunker. */
export interface ParsedDocument {
  readonly path: string;
  readonly kind: DocumentKind;
  /** Lower-case name that citations show: `typescript`, `markdown`, `text`… */
  readonly language: string;
  /** Byte for byte the file, but for invalid UTF-8, which is U+FFFD. No NUL. */
  readonly text: string;
}
