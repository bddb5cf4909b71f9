import type { FetchedDocument, SourceDocumentKind } from './fetch/fetcher.port.js';
import { parseHtml } from './html/parse-html.js';
import { parseSpecPart } from './openapi/rendered-part.js';
import { parseFile, parsePage } from './parse/parse-file.js';
import type { ParseResult } from './parse/parsed-document.js';

/** Reads documents of one kind. CPU-bound work: it runs in a worker thread. */
type DocumentParser = (document: FetchedDocument) => ParseResult | Promise<ParseResult>;

/**
 * The one place where a kind of document gets its parser; the compiler holds it complete. PDFs are
 * not for a thread of this process: see `PdfParser`.
 */
const PARSERS: Readonly<Record<Exclude<SourceDocumentKind, 'pdf'>, DocumentParser>> = {
  file: parseFile,
  page: parsePage,
  html: parseHtml,
  openapi: parseSpecPart,
};

/** Bytes to text, by what kind of document they are, or the reason to leave the document out. */
export async function parseDocument(document: FetchedDocument): Promise<ParseResult> {
  if (document.kind === 'pdf') throw new Error('PDFs are parsed in processes of their own');
  return PARSERS[document.kind](document);
}
