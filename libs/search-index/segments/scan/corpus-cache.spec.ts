import { describe, expect, it } from '@jest/globals';

import { Corpus, CorpusCache } from './corpus-cache.js';
import type { SearchedSegment, SearchedView } from './searched-view.js';

function viewOf(liveChunks: number, liveLength: number): SearchedView {
  const segment = {} as SearchedSegment;
  return { embedderId: 'model', segment, dropped: undefined, liveChunks, liveLength };
}

describe('a corpus', () => {
  it('sums up its live chunks', () => {
    const { chunks, length } = new Corpus([viewOf(2, 30), viewOf(3, 12)]);
    expect([chunks, length]).toEqual([5, 42]);
  });

  it('keeps the frequencies of the latest 2,000 terms', () => {
    const corpus = new Corpus([]);
    for (let at = 0; at <= 2_000; at += 1) corpus.keep(`term ${at}`, at);
    expect([0, 1, 2_000].map((at) => corpus.frequency(`term ${at}`))).toEqual([
      undefined,
      1,
      2_000,
    ]);
  });
});

describe('the cache of corpora', () => {
  const views = Array.from({ length: 40 }, () => viewOf(1, 1));
  const [first, second] = views as [SearchedView, SearchedView];

  it('finds a corpus by exactly its own views', () => {
    const cache = new CorpusCache();
    const corpus = cache.of([first, second]);
    expect(cache.of([first, second])).toBe(corpus);
    const others = [[first], [second, first], [first, { ...second }], [...views]];
    for (const other of others) expect(cache.of(other)).not.toBe(corpus);
  });

  it('keeps the 32 that were used last', () => {
    const cache = new CorpusCache();
    const corpora = views.slice(0, 32).map((view) => cache.of([view]));
    expect(cache.of([first])).toBe(corpora[0]);
    cache.of([views[39] as SearchedView]);
    expect(cache.of([first])).toBe(corpora[0]);
    expect(cache.of([second])).not.toBe(corpora[1]);
  });

  it('forgets each corpus with a removed segment', () => {
    const cache = new CorpusCache();
    const [both, alone] = [cache.of([first, second]), cache.of([second])];
    cache.forget(new Set([first.segment]));
    expect(cache.of([second])).toBe(alone);
    expect(cache.of([first, second])).not.toBe(both);
  });
});
