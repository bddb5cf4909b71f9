import { type ScanPlace, WHOLE } from '../code-search-scope.js';
import type { ScopedSource } from '../search-scope.js';

/** Returns true if a place comes after another one in the order of a scan. */
export function isAfter(
  sources: readonly ScopedSource[],
  place: Pick<ScanPlace, 'sourceId' | 'path' | 'line'>,
  other: Pick<ScanPlace, 'sourceId' | 'path' | 'line'>,
): boolean {
  if (place.sourceId !== other.sourceId) {
    const at = (id: string): number => sources.findIndex(({ source }) => source.sourceId === id);
    return at(place.sourceId) > at(other.sourceId);
  }
  if (place.path !== other.path)
    return Buffer.compare(Buffer.from(place.path), Buffer.from(other.path)) > 0;
  return lineOf(place) > lineOf(other);
}

function lineOf({ line }: Pick<ScanPlace, 'line'>): number {
  return line === WHOLE ? Infinity : line;
}
