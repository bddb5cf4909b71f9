import { describe, expect, it } from '@jest/globals';

import { weighTerms } from '#retrieval';
import type { CandidateQuery, LiveSource } from '#search-index';

import { IndexedSource, uuidOf } from '../../support/indexed-source.js';
import { CACHE, found, type IndexContext, NO_VECTOR, ONE, RETRY, SOCKET } from './index-context.js';

/** Numbers of the corpus that the ranker needs. */
export function statisticsContract(context: IndexContext): void {
  describe('statistics', () => {
    it('cover the corpus, whatever the scope', async () => {
      const a = await context.apply(new IndexedSource(ONE, uuidOf('a')), 1, CACHE, RETRY);
      const b = await context.apply(new IndexedSource(ONE, uuidOf('b')), 1, SOCKET);
      const { statistics } = await context.search('request socket nothing', [a], {
        corpus: [a, b],
      });
      const lengths = [CACHE, RETRY, SOCKET].map(
        ({ path, symbol, defs = [], text }) =>
          weighTerms({ path, symbol, defs, content: text }).length,
      );
      expect(statistics.chunks).toBe(3);
      expect(statistics.averageLength).toBeCloseTo(
        lengths.reduce((sum, length) => sum + length, 0) / 3,
        6,
      );
      expect(statistics.documentFrequencies).toEqual([1, 1, 0]);
    });

    it('come with the number of chunks in scope, unless a filter keeps some of them from being searched', async () => {
      const source = new IndexedSource(ONE, uuidOf('a'));
      await context.apply(source, 1, CACHE, RETRY, SOCKET);
      const pack = source.pack([CACHE, RETRY, SOCKET], [RETRY.path]);
      await context.index.applyGeneration(source.manifest(2, [pack]), source.readBlob);
      const other = await context.apply(new IndexedSource(ONE, uuidOf('b')), 1, SOCKET);
      const corpus = [source.at(2), other];
      const searched = async (scope: readonly LiveSource[], more: Partial<CandidateQuery> = {}) =>
        (await context.search('request', scope, { corpus, ...more })).searched;
      expect(await searched(corpus)).toBe(3);
      expect(await searched([source.at(2)])).toBe(2);
      expect(await searched([source.at(2)], { vectorFor: NO_VECTOR })).toBe(2);
      expect(await searched([])).toBe(0);
      expect(await searched(corpus, { filter: { paths: ['**'], languages: [] } })).toBeNull();
      expect(await searched(corpus, { filter: { paths: ['nowhere'], languages: [] } })).toBeNull();
    });

    it('leave dropped chunks and other generations out', async () => {
      const source = new IndexedSource(ONE, uuidOf('a'));
      await context.apply(source, 1, CACHE, RETRY, SOCKET);
      const pack = source.pack([CACHE, RETRY, SOCKET], [RETRY.path]);
      await context.index.applyGeneration(source.manifest(2, [pack]), source.readBlob);
      const { statistics } = await context.search('request evict', [source.at(2)]);
      expect(statistics.documentFrequencies).toEqual([0, 1]);
      expect(statistics.chunks).toBe(2);
    });

    it('do not depend on how the content is cut into packs', async () => {
      const whole = new IndexedSource(ONE, uuidOf('a'));
      const pieces = new IndexedSource(ONE, uuidOf('b'));
      await context.apply(whole, 1, CACHE, RETRY, SOCKET);
      const packs = [pieces.pack([CACHE]), pieces.pack([RETRY, SOCKET])];
      await context.index.applyGeneration(pieces.manifest(1, packs), pieces.readBlob);
      const one = await context.search('open request', [whole.at(1)]);
      const two = await context.search('open request', [pieces.at(1)]);
      expect(two.statistics).toEqual(one.statistics);
      expect(found(two)).toEqual(found(one));
    });
  });
}
