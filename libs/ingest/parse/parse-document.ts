import type { FetchedDocument } from '../fetch/fetcher.port.js';
import { languageOf } from './languages.js';
import type { ParsedDocument } from './parsed-document.js';
import { contentSkip, type SkipReason } from '../select/content-skip.js';

export type ParseResult = ParsedDocument | { readonly skipped: SkipReason };

/** A byte order mark is kept: the text is the file byte for byte. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** How much of the text the language and the content checks look at, in characters. */
const HEAD = 4_096;

/**
 * Bytes to text with its language, or the reason to leave the document out: what is binary, and, of files that were not
 * asked for by name, what is generated or minified. Invalid UTF-8 becomes U+FFFD.
 */
export function parseDocument({ path, kind, named, bytes }: FetchedDocument): ParseResult {
  if (bytes.includes(0)) return { skipped: 'binary' };
  const text = decoder.decode(bytes);
  if (kind === 'page') return { path, kind, language: 'markdown', text };
  const skipped = named ? undefined : contentSkip(path, text);
  if (skipped !== undefined) return { skipped };
  return { path, ...languageOf(path, text.slice(0, HEAD)), text };
}

export function isSkipped(result: ParseResult): result is { readonly skipped: SkipReason } {
  return 'skipped' in result;
}
