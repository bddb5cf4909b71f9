import type { ByteSpan } from '../pattern/line-engine.port.js';

/** Returns how the digest of a receipt names a document: the array of what identifies it. */
export function evidenceKey(sourceId: string, generation: number, path: string): string {
  return JSON.stringify([sourceId, generation, path]);
}

/** Returns the row of a document that is listed without lines. */
export function evidenceOfDocument(key: string): string {
  return `${key}\n`;
}

/** Returns the row of a line: the array of its document, with its number and ranges. */
export function evidenceOfLine(key: string, number: number, ranges: readonly ByteSpan[]): string {
  const spans = ranges.map(([start, end]) => `[${start},${end}]`).join(',');
  return `${key.slice(0, -1)},${number},[${spans}]]\n`;
}
