/** Reason why the text of a PDF is unavailable. */
export type PdfRefusal =
  'encrypted' | 'broken' | 'truncated' | 'pages' | 'no_text' | 'text' | 'memory';

/** Report of the child of one PDF, before the text itself. */
export type PdfReport =
  | {
      readonly ok: true;
      readonly pages: number;
      /** Pages without text. */
      readonly blank: number;
      /** Secrets replaced by markers in the text, by kind. */
      readonly redacted: Readonly<Record<string, number>>;
      /** The row, from 0, at which each page with text begins. */
      readonly starts: readonly { readonly page: number; readonly row: number }[];
    }
  | { readonly ok: false; readonly reason: PdfRefusal; readonly pages?: number };

/** Settings of the child. */
export interface PdfChildSettings {
  /** Module of the PDF library, as a file URL. */
  readonly library: string;
  readonly maxPages: number;
  /** Most characters of text. */
  readonly maxCharacters: number;
}
