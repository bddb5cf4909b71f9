import { createHash } from 'node:crypto';

import type { ManifestDocument } from '#contracts';
import type { FileDifference } from '#contracts/http/index';
import type { IndexedChunk } from '#search-index';

import { indexedLines } from '../sources/indexed-lines.js';

/** The text of a document, and how it can differ from the fetched bytes. */
export interface FileText {
  readonly text: string;
  readonly differences: readonly FileDifference[];
}

/** Marker of a removed secret. */
const REDACTED = /\[redacted:\w+\]/;
/** The form of a version that is a git blob id. */
const BLOB_ID = /^[0-9a-f]{40}$/;

/**
 * Returns the text of a document from its chunks in order. A text whose git blob id is the version
 * of the document equals the fetched bytes. Chunks without lines are joined with a blank line.
 */
export function fileText({ version }: ManifestDocument, chunks: readonly IndexedChunk[]): FileText {
  const whole = wholeText(chunks);
  const text = whole ?? indexedLines(chunks).join('\n');
  if (gitBlobId(text) === version) return { text, differences: [] };
  const converted = chunks.some((chunk) => chunk.startLine === undefined);
  const found: (FileDifference | false)[] = [
    whole === undefined && (converted ? 'converted' : 'unknown_gaps'),
    REDACTED.test(text) && 'redacted',
    text.includes('\ufffd') && 'not_utf8',
  ];
  const differences = found.filter((one) => one !== false);
  // Another blob id proves a difference, even if nothing explains it.
  return {
    text,
    differences: differences.length || !BLOB_ID.test(version) ? differences : ['converted'],
  };
}

/** Returns the lines of a text without their `\n`. */
export function linesOfText(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns the text with what stands between the chunks; undefined if that was not recorded. */
function wholeText(chunks: readonly IndexedChunk[]): string | undefined {
  const end = chunks.at(-1)?.after;
  if (end === undefined || chunks.some(({ before }) => before === undefined)) return undefined;
  return `${chunks.map(({ before = '', content }) => before + content).join('')}${end}`;
}

function gitBlobId(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
