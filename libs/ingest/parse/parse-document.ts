import { languageOf } from './languages.js';
import type { ParsedDocument } from './parsed-document.js';
import { contentSkip, type SkipReason } from '../select/content-skip.js';

export interface RawDocument {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ParseOptions {
  /** Reads generated and minified files too: an include pattern named them. */
  readonly keepDerived?: boolean;
}

export type ParseResult = ParsedDocument | { readonly skipped: SkipReason };

/** A byte order mark is kept: the text is the file byte for byte. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** How much of the text the language and the content checks look at, in characters. */
const HEAD = 4_096;

/** Bytes to text with its language, or the reason to leave the file out. Invalid UTF-8 becomes U+FFFD. */
export function parseDocument(raw: RawDocument, options: ParseOptions = {}): ParseResult {
  if (raw.bytes.includes(0)) return { skipped: 'binary' };
  const text = decoder.decode(raw.bytes);
  const skipped = options.keepDerived === true ? undefined : contentSkip(raw.path, text);
  if (skipped !== undefined) return { skipped };
  const choice = languageOf(raw.path, text.slice(0, HEAD));
  return { path: raw.path, ...choice, text };
}

export function isSkipped(result: ParseResult): result is { readonly skipped: SkipReason } {
  return 'skipped' in result;
}
