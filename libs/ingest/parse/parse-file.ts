import type { FetchedDocument } from '../fetch/fetcher.port.js';
import { contentSkip, isLfsPointer } from './content-skip.js';
import { languageOf } from './languages.js';
import type { ParseResult } from './parsed-document.js';

/** A byte order mark is kept: the text is the file byte for byte. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** How much of the text the language and the content checks look at, in characters. */
const HEAD = 4_096;

/**
 * A file as text with its language, or the reason to leave it out: what is binary or in Git LFS,
 * and, of files that were not asked for by name, what is generated or minified. Invalid UTF-8
 * becomes U+FFFD.
 */
export function parseFile({ path, named, bytes }: FetchedDocument): ParseResult {
  if (bytes.includes(0)) return { skipped: 'binary' };
  if (isLfsPointer(bytes)) return { skipped: 'lfs' };
  const text = decoder.decode(bytes);
  const skipped = named ? undefined : contentSkip(path, text);
  if (skipped !== undefined) return { skipped };
  return { path, ...languageOf(path, text.slice(0, HEAD)), text };
}

/** Markdown that its source wrote as a page: nothing that a file would be left out for counts. */
export function parsePage({ path, bytes }: FetchedDocument): ParseResult {
  if (bytes.includes(0)) return { skipped: 'binary' };
  return { path, kind: 'page', language: 'markdown', text: decoder.decode(bytes) };
}
