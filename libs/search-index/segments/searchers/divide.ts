import type { SegmentView } from '../loaded-generation.js';

/**
 * Divides a scope into parts of about as many chunks, `most` of them at most and none much below `least` chunks; an empty or
 * small scope is one part.
 */
export function divide(
  scope: readonly SegmentView[],
  most: number,
  least: number,
): readonly (readonly SegmentView[])[] {
  const chunks = scope.reduce((sum, view) => sum + sizeOf(view), 0);
  const count = Math.max(1, Math.min(most, scope.length, Math.floor(chunks / least)));
  if (count === 1) return [scope];
  const parts = Array.from({ length: count }, () => ({ views: [] as SegmentView[], chunks: 0 }));
  for (const view of [...scope].sort((a, b) => sizeOf(b) - sizeOf(a))) {
    const smallest = parts.reduce((best, part) => (part.chunks < best.chunks ? part : best));
    smallest.views.push(view);
    smallest.chunks += sizeOf(view);
  }
  return parts.map(({ views }) => views);
}

function sizeOf({ segment }: SegmentView): number {
  return segment.tables.chunkCount;
}
