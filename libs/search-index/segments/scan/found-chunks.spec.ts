import { describe, expect, it } from '@jest/globals';

import { FoundChunks } from './found-chunks.js';
import type { SearchScope } from './search-scope.js';
import type { SearchedView } from './searched-view.js';
import { TopChunks } from './top-chunks.js';

const STATISTICS = { chunks: 0, averageLength: 0, documentFrequencies: [] };
const TERMS = 2;

/** Returns a view with some ids; the beginning of an id is its tens. */
function viewOf(...ids: number[]): SearchedView {
  const tables = {
    ids,
    idPrefix: (chunk: number) => Math.floor((ids[chunk] as number) / 10),
    compareIds: (chunk: number, other: { ids: number[] }, otherChunk: number) =>
      (ids[chunk] as number) - (other.ids[otherChunk] as number),
  };
  return { segment: { tables } } as unknown as SearchedView;
}

function scopeOf(...views: SearchedView[]): SearchScope {
  return {
    ranges: views.map((view) => ({ view, from: 0, to: 4 })),
    rangeOf: new Map(views.map((view, range) => [view, range])),
  } as unknown as SearchScope;
}

function topOf(...found: (readonly [view: SearchedView, chunk: number, score: number])[]) {
  const top = new TopChunks(10);
  for (const [view, chunk, score] of found) top.offer(view, chunk, score);
  return top;
}

describe('found chunks', () => {
  const [a, b] = [viewOf(31, 12, 44, 11), viewOf(13, 45, 12, 7)];
  const found = new FoundChunks(scopeOf(a, b));
  found.add(0, topOf([a, 0, 1], [b, 2, 2], [a, 1, 3]));
  found.add(1, topOf());
  found.add(2, topOf([b, 3, 4], [a, 1, 5], [b, 1, 6], [a, 3, 7], [b, 0, 8], [a, 2, 9]));
  const { slice, ranges } = found.ordered(STATISTICS, TERMS);

  it('are each once in the order of ids, two views of one chunk in that of the scope', () => {
    expect([...slice.views]).toEqual([1, 0, 0, 1, 1, 0, 0, 1]);
    expect([...slice.chunks]).toEqual([3, 3, 1, 2, 0, 0, 2, 1]);
  });

  it('have the score of each retriever that found them', () => {
    const none = NaN;
    expect([...slice.scores]).toEqual(
      [
        [none, none, 4],
        [none, none, 7],
        [3, none, 5],
        [2, none, none],
        [none, none, 8],
        [1, none, none],
        [none, none, 9],
        [none, none, 6],
      ].flat(),
    );
  });

  it('are listed by range and chunk, with their places', () => {
    expect(ranges.map(({ range, chunks, places }) => [range, [...chunks], [...places]])).toEqual([
      [0, [0, 1, 2, 3], [5, 2, 6, 1]],
      [1, [0, 1, 2, 3], [4, 7, 3, 0]],
    ]);
  });

  it('have columns to fill', () => {
    expect(slice.statistics).toBe(STATISTICS);
    expect(slice.cosines).toHaveLength(8);
    expect(slice.frequencies).toHaveLength(8 * TERMS);
  });

  it('may be none', () => {
    const { slice, ranges } = new FoundChunks(scopeOf(a)).ordered(STATISTICS, TERMS);
    expect([slice.views.length, slice.scores.length, ranges.length]).toEqual([0, 0, 0]);
  });
});
