import type { FetchedDocument, SourceDocumentKind } from './fetch/fetcher.port.js';
import { parseSpecPart } from './openapi/rendered-part.js';
import { parseFile, parsePage } from './parse/parse-file.js';
import type { ParseResult } from './parse/parsed-document.js';

/** Parser for documents of one kind. It runs in a worker thread because the work is CPU-bound. */
type DocumentParser = (document: FetchedDocument) => ParseResult | Promise<ParseResult>;

/**
 * Only assignment of parsers to kinds of documents; the compiler ensures that it is complete. PDFs
 * do not run in a thread of this process: see `PdfParser`.
 */
const PARSERS: Readonly<Record<Exclude<SourceDocumentKind, 'pdf'>, DocumentParser>> = {
  file: parseFile,
  page: parsePage,
  // Loaded with the first page: threads of other sources start without it.
  html: async (document) => (await import('./html/parse-html.js')).parseHtml(document),
  openapi: parseSpecPart,
};

/**
 * Converts the bytes of a document to text by its kind, or returns the reason to omit the document.
 */
export async function parseDocument(document: FetchedDocument): Promise<ParseResult> {
  if (document.kind === 'pdf') throw new Error('PDFs are parsed in processes of their own');
  return PARSERS[document.kind](document);
}
