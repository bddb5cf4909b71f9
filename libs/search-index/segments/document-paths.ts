import { compileChunkFilter } from '../chunk-filter.js';
import { isDropped } from '../pack/dropped-bitmap.js';
import type { DocumentRange } from '../search-index.port.js';
import type { SegmentView } from './store/loaded-generation.js';

/** The next document of a view. */
interface Head {
  readonly view: SegmentView;
  chunk: number;
  path: string;
}

/**
 * Returns the paths of a generation's documents, ascending by their UTF-8 bytes, each once although
 * several packs may have chunks of it. Undefined stands for a rejected document, so that the caller
 * can yield to other work.
 */
export function* documentPaths(
  views: readonly SegmentView[],
  { from, filter }: DocumentRange,
): Iterable<string | undefined> {
  const accept = filter && compileChunkFilter(filter);
  let heads = views.flatMap((view) => {
    const head: Head = { view, chunk: -1, path: '' };
    return advance(head) ? [head] : [];
  });
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (comparePaths(b.path, a.path) < 0 ? b : a));
    const { path } = first;
    const isWanted =
      (from === undefined || comparePaths(path, from) >= 0) &&
      (accept?.({ path, language: first.view.segment.tables.language(first.chunk) }) ?? true);
    yield isWanted ? path : undefined;
    heads = heads.filter((head) => head.path !== path || advance(head));
  }
}

/** Moves to the next document that is not dropped as a whole. Returns false at the end. */
function advance(head: Head): boolean {
  const { segment, dropped } = head.view;
  const { tables } = segment;
  let chunk = head.chunk + 1;
  if (head.chunk >= 0) {
    const document = tables.pathId(head.chunk);
    while (chunk < tables.chunkCount && tables.pathId(chunk) === document) chunk += 1;
  }
  while (chunk < tables.chunkCount && isDropped(dropped, chunk)) chunk += 1;
  if (chunk >= tables.chunkCount) return false;
  head.chunk = chunk;
  head.path = tables.path(chunk);
  return true;
}

/** Compares by code points, which is the order of UTF-8 bytes; `<` compares UTF-16 units. */
function comparePaths(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return byCodePoint(left) - byCodePoint(right);
  }
  return a.length - b.length;
}

/** Moves surrogates behind the other units, since they stand for higher code points. */
function byCodePoint(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
