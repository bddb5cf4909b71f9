import { hasSignatures, type ViewRange, wholeView } from '../scan/searched-view.js';
import { BLOCK_VECTORS } from '../scan/vector-blocks.js';
import type { SegmentView } from '../store/loaded-generation.js';

type Share = readonly ViewRange<SegmentView>[];

/**
 * Divides a scope into at most `most` slices of about as many chunks, none much below `least`
 * chunks. If necessary, a view is cut between two blocks of its vectors.
 * @returns undefined for an empty or small scope, which stays whole. So does one whose vectors are
 * found in two steps, because the cut is over all of them.
 */
export function divide(
  scope: readonly SegmentView[],
  most: number,
  least: number,
): readonly [Share, ...Share[]] | undefined {
  if (most <= 1 || scope.some(({ segment }) => hasSignatures(segment))) return undefined;
  const chunks = scope.reduce((sum, { segment }) => sum + segment.tables.chunkCount, 0);
  const count = Math.min(most, Math.floor(chunks / least));
  if (count <= 1) return undefined;
  const slices: [ViewRange<SegmentView>[], ...ViewRange<SegmentView>[][]] = [[]];
  let slice = slices[0];
  let room = chunks / count;
  for (const { view, to } of scope.map(wholeView)) {
    let from = 0;
    while (from < to) {
      if (room <= 0 && slices.length < count) {
        slices.push((slice = []));
        room += chunks / count;
      }
      const end = slices.length === count ? to : cut(from, to, room, slice.length === 0);
      if (end > from) slice.push({ view, from, to: end });
      // Too little space for a block: the next slice takes it.
      room = end > from ? room - (end - from) : 0;
      from = end;
    }
  }
  return slices;
}

/**
 * Returns the end of a range that begins at `from`, in a slice with some space left. It is the
 * nearest edge of a block, or the end.
 */
function cut(from: number, to: number, room: number, isFirst: boolean): number {
  if (to - from <= room) return to;
  const blocks = Math.max(isFirst ? 1 : 0, Math.round(room / BLOCK_VECTORS));
  return Math.min(to, from + blocks * BLOCK_VECTORS);
}
