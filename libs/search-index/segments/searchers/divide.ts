import type { SegmentView } from '../store/loaded-generation.js';
import { wholeView, type ViewRange } from '../scan/searched-view.js';
import { BLOCK_VECTORS } from '../scan/vector-blocks.js';

type Part = readonly ViewRange<SegmentView>[];

/**
 * Divides a scope into parts of about as many chunks, `most` of them at most and none much below `least` chunks; an empty or
 * small scope is one part. A view is cut between two blocks of its vectors where it has to be.
 */
export function divide(scope: readonly SegmentView[], most: number, least: number): readonly [Part, ...Part[]] {
  const chunks = scope.reduce((sum, { segment }) => sum + segment.tables.chunkCount, 0);
  const count = Math.min(most, Math.floor(chunks / least));
  const whole = scope.map(wholeView);
  if (count <= 1) return [whole];
  const parts: [ViewRange<SegmentView>[], ...ViewRange<SegmentView>[][]] = [[]];
  let part = parts[0];
  let room = chunks / count;
  for (const { view, to } of whole) {
    let from = 0;
    while (from < to) {
      if (room <= 0 && parts.length < count) {
        parts.push((part = []));
        room += chunks / count;
      }
      const end = parts.length === count ? to : cut(from, to, room, part.length === 0);
      if (end > from) part.push({ view, from, to: end });
      // Too little room for a block: the next part takes it.
      room = end > from ? room - (end - from) : 0;
      from = end;
    }
  }
  return parts;
}

/** Where a range that begins at `from` ends in a part with some room: at the nearest edge of a block, or at the end. */
function cut(from: number, to: number, room: number, isFirst: boolean): number {
  if (to - from <= room) return to;
  const blocks = Math.max(isFirst ? 1 : 0, Math.round(room / BLOCK_VECTORS));
  return Math.min(to, from + blocks * BLOCK_VECTORS);
}
