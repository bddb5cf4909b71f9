import { compileChunkFilter } from '../chunk-filter.js';
import { isDropped } from '../pack/dropped-bitmap.js';
import { type DocumentBits, hasBit, hasNoBits } from '../pack/trigrams/posting-list.js';
import type { DocumentRange } from '../search-index.port.js';
import type { SegmentView } from './store/loaded-generation.js';

/** A document to read or to leave out. */
export interface DocumentPath {
  readonly path: string;
  /** True if the document cannot meet the condition of the range. */
  readonly isExcluded: boolean;
}

/** The next document of a view. */
interface Head {
  readonly view: SegmentView;
  /** Documents that may meet the condition; undefined if all may. */
  readonly matching: DocumentBits | undefined;
  /** Number of the document in its pack. */
  document: number;
  /** The first chunk of the document that is not dropped. */
  chunk: number;
  /** Decoded when it is needed. */
  path: string | undefined;
}

/**
 * Returns the documents of a generation, ascending by the UTF-8 bytes of their paths, each once
 * although several packs may have chunks of it. Undefined stands for a rejected document, so that
 * the caller can yield to other work. A number stands for so many documents that cannot meet the
 * condition of the range.
 *
 * @throws BadSectionsError for damaged trigrams, before the first document.
 */
export function* documentPaths(
  views: readonly SegmentView[],
  { from, filter, required }: DocumentRange,
): Generator<DocumentPath | number | undefined, void> {
  const conditions = views.map(({ segment }) => required && segment.trigrams?.matching(required));
  const excluded = from === undefined && !filter && excludedAsWhole(views, conditions);
  if (excluded) {
    yield excluded;
    return;
  }
  const accept = filter && compileChunkFilter(filter);
  let heads = views.flatMap((view, at) => {
    const matching = conditions[at];
    const { tables } = view.segment;
    // Chunks are in the order of their paths.
    const chunk = (from === undefined ? 0 : tables.firstFrom(from)) - 1;
    const document = tables.countDocuments(chunk + 1) - 1;
    const head: Head = { view, matching, document, chunk, path: undefined };
    return advance(head) ? [head] : [];
  });
  while (heads.length > 0) {
    const [only, ...others] = heads;
    // Nothing but the path of most documents would be read, and nobody needs it.
    if (only && others.length === 0 && !accept && isExcludedAlone(only)) {
      yield 1;
      if (!advance(only)) return;
      continue;
    }
    const first = heads.reduce((a, b) => (comparePaths(pathOf(b), pathOf(a)) < 0 ? b : a));
    const path = pathOf(first);
    const isWanted =
      accept?.({ path, language: first.view.segment.tables.language(first.chunk) }) ?? true;
    // A text may continue in a chunk that another pack has, or that replaced a dropped one.
    const isWhole = (): boolean =>
      heads.every((head) => head === first || pathOf(head) !== path) && hasAllChunks(first);
    const isExcluded =
      isWanted &&
      first.matching !== undefined &&
      !hasBit(first.matching, first.document) &&
      isWhole();
    yield isWanted ? { path, isExcluded } : undefined;
    heads = heads.filter((head) => pathOf(head) !== path || advance(head));
  }
}

/**
 * Returns the number of documents of a generation if none of them meets the condition. Most of many
 * small sources have none. Undefined: each document must be looked at.
 */
function excludedAsWhole(
  [only, ...others]: readonly SegmentView[],
  [matching]: readonly (DocumentBits | undefined)[],
): number | undefined {
  // Documents of several packs, or with dropped chunks, may have to be read all the same.
  const isOne = others.length === 0 && only?.dropped === undefined;
  return isOne && matching && hasNoBits(matching) ? only?.segment.trigrams?.documents : undefined;
}

/** Reports whether a document of the only pack with more documents cannot meet the condition. */
function isExcludedAlone({ view: { dropped }, matching, document }: Head): boolean {
  return matching !== undefined && dropped === undefined && !hasBit(matching, document);
}

function pathOf(head: Head): string {
  return (head.path ??= head.view.segment.tables.path(head.chunk));
}

/** Moves to the next document that is not dropped as a whole. Returns false at the end. */
function advance(head: Head): boolean {
  const { segment, dropped } = head.view;
  const { tables } = segment;
  let current = head.chunk < 0 ? undefined : tables.pathId(head.chunk);
  const passed = current;
  for (let chunk = head.chunk + 1; chunk < tables.chunkCount; chunk += 1) {
    const next = tables.pathId(chunk);
    if (next !== current) head.document += 1;
    current = next;
    if (next === passed || isDropped(dropped, chunk)) continue;
    head.chunk = chunk;
    head.path = undefined;
    return true;
  }
  return false;
}

function hasAllChunks(head: Head): boolean {
  const { segment, dropped } = head.view;
  const { chunk } = head;
  if (!dropped) return true;
  const { first, end } = segment.tables.document(pathOf(head));
  for (let at = first; at < end; at += 1) if (isDropped(dropped, at)) return false;
  return first === chunk;
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
