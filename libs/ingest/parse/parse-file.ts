import type { FetchedDocument } from '../fetch/fetcher.port.js';
import { contentSkip, isLfsPointer } from './content-skip.js';
import { languageOf } from './languages.js';
import type { ParseResult } from './parsed-document.js';

/** A byte order mark is kept: the text is the file byte for byte. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Characters of the text that the language and the content checks read. */
const HEAD = 4_096;

/**
 * Returns a file as text with its language, or the reason to leave it out. Binary files and Git LFS
 * pointers are left out. Generated and minified files are left out too, unless they are named.
 * Invalid UTF-8 becomes U+FFFD.
 */
export function parseFile({ path, named, bytes }: FetchedDocument): ParseResult {
  if (bytes.includes(0)) return { skipped: 'binary' };
  if (isLfsPointer(bytes)) return { skipped: 'lfs' };
  const text = decoder.decode(bytes);
  const skipped = named ? undefined : contentSkip(path, text);
  if (skipped !== undefined) return { skipped };
  return { path, ...languageOf(path, text.slice(0, HEAD)), text };
}

/**
 * Returns Markdown that its source wrote as a page. The reasons to leave out a file do not apply.
 */
export function parsePage({ path, bytes }: FetchedDocument): ParseResult {
  if (bytes.includes(0)) return { skipped: 'binary' };
  return { path, kind: 'page', language: 'markdown', text: decoder.decode(bytes) };
}
