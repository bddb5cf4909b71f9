import type { ParsedDocument, ParseResult } from '../parse/parsed-document.js';
import { carriesSecret, type RedactedText, redactSecrets } from './redact-secrets.js';

export interface RedactedDocument {
  readonly document: ParsedDocument;
  readonly found: RedactedText['found'];
}

/**
 * Returns a document without its secrets, in its text and in its places. A document whose path
 * contains a secret is left out: its source identifies it by the path, which cannot be changed.
 */
export function redactDocument(
  document: ParsedDocument,
): RedactedDocument | Extract<ParseResult, { skipped: unknown }> {
  const { path, marks } = document;
  if (carriesSecret(path)) return { skipped: 'secret' };
  const { text, found } = redactSecrets(document.text, path);
  if (!marks?.some(({ fragment }) => fragment !== null && carriesSecret(fragment))) {
    return { document: text === document.text ? document : { ...document, text }, found };
  }
  const named = marks.map((mark) =>
    mark.fragment === null ? mark : { ...mark, fragment: cleanFragment(mark.fragment) },
  );
  return { document: { ...document, text, marks: named }, found };
}

/** Returns a fragment without secrets. A marker has characters that a fragment must not have. */
function cleanFragment(fragment: string): string {
  return redactSecrets(fragment).text.replace(/\[redacted:(\w+)\]/g, 'redacted-$1');
}
