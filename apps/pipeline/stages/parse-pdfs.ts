import type { ParsedDocument } from '#ingest';

import { decodeRawPart } from '../artifacts/raw-part.js';
import { encodeTextPart } from '../artifacts/text-part.js';
import type { StageContext } from './stage.types.js';

/** The result of parsing a part of PDFs. */
export interface ParsedPdfPart {
  readonly bytes: Uint8Array;
  readonly parsed: number;
  readonly skipped: readonly never[];
  readonly pages: number;
  readonly blankPages: number;
  readonly redacted: Readonly<Record<string, number>>;
}

/** Returns whether a part consists of PDFs: all documents of one fetch are of one kind. */
export function holdsPdfs(bytes: Uint8Array): boolean {
  return decodeRawPart(bytes)[0]?.kind === 'pdf';
}

/**
 * PDFs to text, each in a process of its own and not in the threads of this one. One that cannot be
 * read fails the job.
 */
export async function parsePdfPart(
  { pdfs, tenantId, signal }: StageContext,
  bytes: Uint8Array,
): Promise<ParsedPdfPart> {
  const documents: ParsedDocument[] = [];
  let pages = 0;
  let blankPages = 0;
  const redacted: Record<string, number> = {};
  for (const document of decodeRawPart(bytes)) {
    const parsed = await pdfs.parse(document.path, document.bytes, document.path, {
      tenantId,
      signal,
    });
    documents.push(parsed.document);
    pages += parsed.pages;
    blankPages += parsed.blankPages;
    for (const [kind, count] of Object.entries(parsed.redacted))
      redacted[kind] = (redacted[kind] ?? 0) + count;
  }
  return {
    bytes: encodeTextPart(documents),
    parsed: documents.length,
    skipped: [],
    pages,
    blankPages,
    redacted,
  };
}
