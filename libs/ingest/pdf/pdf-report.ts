/** Why the text of a PDF cannot be had. */
export type PdfRefusal =
  'encrypted' | 'broken' | 'truncated' | 'pages' | 'no_text' | 'text' | 'memory';

/** What the child of one PDF says before the text itself. */
export type PdfReport =
  | {
      readonly ok: true;
      readonly pages: number;
      /** Pages on which no text was found. */
      readonly blank: number;
      /** How many secrets of each kind a marker stands for in the text. */
      readonly redacted: Readonly<Record<string, number>>;
      /** The row, from 0, at which each page with text begins. */
      readonly starts: readonly { readonly page: number; readonly row: number }[];
    }
  | { readonly ok: false; readonly reason: PdfRefusal; readonly pages?: number };

/** What the child is told. */
export interface PdfChildSettings {
  /** Module of the PDF library, as a file URL. */
  readonly library: string;
  readonly maxPages: number;
  /** Most characters of text. */
  readonly maxCharacters: number;
}
