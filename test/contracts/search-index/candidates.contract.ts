import { describe, expect, it } from '@jest/globals';

import { analyzeQuery, weighTerms } from '#retrieval';
import type { CandidateQuery } from '#search-index';

import { type ChunkSketch, IndexedSource, uuidOf } from '../../support/indexed-source.js';
import {
  CACHE,
  found,
  type IndexContext,
  NO_VECTOR,
  NOTHING_ASKED,
  ONE,
  only,
  RETRY,
  SOCKET,
  TWO,
} from './index-context.js';

/** Hits, their fields, limits, filters and tenants. */
export function candidatesContract(context: IndexContext): void {
  describe('candidates', () => {
    it('carry everything the ranker and the citation need', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, CACHE);
      const weighed = weighTerms({
        path: CACHE.path,
        symbol: 'LruCache',
        defs: ['LruCache'],
        content: CACHE.text,
      });
      const candidate = only(await context.search('evict LruCache unheard', [live]));
      expect(candidate).toMatchObject({
        chunkId: source.idOf(CACHE),
        sourceId: source.sourceId,
        generation: 1,
        path: 'src/cache.ts',
        symbol: 'LruCache',
        defs: ['LruCache'],
        language: 'typescript',
        chunkType: 'code',
        startLine: 1,
        endLine: 1,
        tokenCount: 8,
        contentHash: source.chunk(CACHE).content_hash,
        length: weighed.length,
      });
      expect(
        ['LruCache', 'lrucache', 'retry', 'evict', 'never'].filter((name) =>
          candidate.defines(name),
        ),
      ).toEqual(['LruCache']);
      expect(candidate.endpointKey).toBeUndefined();
      const frequencyOf = (term: string): number =>
        weighed.frequencies[weighed.terms.indexOf(term)] ?? 0;
      const { terms } = analyzeQuery('evict LruCache unheard');
      expect(Array.from(candidate.termFrequencies)).toEqual(terms.map(frequencyOf));
      expect(frequencyOf('lrucache')).toBe(4);
    });

    it('return the places of their definitions, where those are known', async () => {
      const definitions = [
        { name: 'Circle', symbol: 'Circle', start_line: 1, end_line: 1 },
        { name: 'hypotenuse', symbol: 'shapes.hypotenuse', start_line: 2, end_line: 2 },
      ];
      const noted: ChunkSketch = {
        path: 'src/shapes.ts',
        text: 'class Circle {}\nfunction hypotenuse() {}',
        symbol: 'Circle',
        defs: ['Circle', 'hypotenuse'],
        definitions,
      };
      const live = await context.apply(new IndexedSource(ONE, uuidOf('s')), 1, noted, CACHE);
      expect(
        only(await context.search('hypotenuse', [live], { vectorFor: NO_VECTOR })).definitions,
      ).toEqual(definitions);
      expect(
        only(await context.search('LruCache', [live], { vectorFor: NO_VECTOR })).definitions,
      ).toEqual([]);
      await context.reopen();
      expect(
        only(await context.search('hypotenuse', [live], { vectorFor: NO_VECTOR })).definitions,
      ).toEqual(definitions);
    });

    it('have a fragment and no lines where their document has none, and are filtered by its path', async () => {
      const path = 'https://docs.example/cache';
      const page: ChunkSketch = { path, text: 'evict and see', page: true, fragment: '#see' };
      const live = await context.apply(new IndexedSource(ONE, uuidOf('s')), 1, page);
      const without = {
        path,
        fragment: '#see',
        startLine: undefined,
        endLine: undefined,
        chunkType: 'docs',
      };
      expect(only(await context.search('evict', [live]))).toMatchObject(without);
      expect(await context.index.document(live, path)).toMatchObject([without]);
      expect(await context.index.document(live, `${path}#see`)).toEqual([]);
      const paths = (glob: string) => ({ filter: { paths: [glob], languages: [] } });
      expect(found(await context.search('evict', [live], paths(path)))).toEqual([path]);
      expect(found(await context.search('evict', [live], paths(`${path}#see`)))).toEqual([]);
    });

    it('have their cosine and term frequencies whichever leg found them', async () => {
      const live = await context.apply(
        new IndexedSource(ONE, uuidOf('s')),
        1,
        CACHE,
        RETRY,
        SOCKET,
      );
      const byTerm = await context.search('request', [live], { vectorFor: NO_VECTOR });
      expect(found(byTerm)).toEqual(['src/retry.ts']);
      expect(only(byTerm).cosine).toBe(0);
      const both = await context.search('request', [live], { limit: 1 });
      expect(only(both).cosine).toBeGreaterThan(0.1);
      const byVector = await context.search('retrying requested', [live], { terms: [] });
      expect(
        byVector.candidates.find(({ path }) => path === 'src/retry.ts')?.cosine,
      ).toBeGreaterThan(0.1);
    });

    it('include what defines a name of the query, in its exact case', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, { ...SOCKET, defs: ['Zed'] }, RETRY);
      const empty = { terms: [], vectorFor: NO_VECTOR };
      expect(found(await context.search('', [live], { ...empty, identifiers: ['Zed'] }))).toEqual([
        'src/socket.go',
      ]);
      expect(found(await context.search('', [live], { ...empty, identifiers: ['zed'] }))).toEqual(
        [],
      );
    });

    it('are at most `limit` a leg, the best of them', async () => {
      const sketches = Array.from({ length: 30 }, (_, i) => ({
        path: `f${String(i).padStart(2, '0')}.ts`,
        text: `needle ${'needle '.repeat(i)}hay straw grass field`,
      }));
      const live = await context.apply(new IndexedSource(ONE, uuidOf('s')), 1, ...sketches);
      const result = await context.search('needle', [live], { limit: 3, vectorFor: NO_VECTOR });
      expect(found(result)).toEqual(['f27.ts', 'f28.ts', 'f29.ts']);
    });

    it('are those of the lowest ids where the cut falls among equals', async () => {
      const sketches = Array.from({ length: 90 }, (_, i) => ({
        path: `f${i + 10}.ts`,
        text: 'same words here',
      }));
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, ...sketches);
      const result = await context.search('same words', [live], { limit: 3, vectorFor: NO_VECTOR });
      const ids = sketches.map((sketch) => source.idOf(sketch)).sort();
      expect(result.candidates.map(({ chunkId }) => chunkId).sort()).toEqual(ids.slice(0, 3));
    });

    it('come in the same order every time', async () => {
      const sketches = Array.from({ length: 20 }, (_, i) => ({
        path: `f${i}.ts`,
        text: 'same words here',
      }));
      const live = await context.apply(new IndexedSource(ONE, uuidOf('s')), 1, ...sketches);
      const first = await context.search('same words', [live], { limit: 5 });
      expect(await context.search('same words', [live], { limit: 5 })).toEqual(first);
    });

    it('are those that the filter lets through, before the cut to `limit`', async () => {
      const sketches = Array.from({ length: 20 }, (_, i) => ({
        path: `f${i}.ts`,
        text: 'frame frame frame',
      }));
      const live = await context.apply(new IndexedSource(ONE, uuidOf('s')), 1, ...sketches, SOCKET);
      const filter = { paths: ['src/**'], languages: ['Go'] };
      expect(found(await context.search('frames', [live], { limit: 2, filter }))).toEqual([
        'src/socket.go',
      ]);
    });

    it('are empty for a query without a term, or an empty scope', async () => {
      const live = await context.apply(new IndexedSource(ONE, uuidOf('s')), 1, CACHE);
      expect((await context.search('???', [live])).candidates).toEqual([]);
      expect((await context.search('evict', [], { corpus: [live] })).candidates).toEqual([]);
    });

    it('never contain or count a tenant that the query does not name: such a query is rejected', async () => {
      const own = await context.apply(new IndexedSource(ONE, uuidOf('s')), 1, CACHE);
      const foreign = await context.apply(new IndexedSource(TWO, uuidOf('f')), 1, CACHE);
      const one = { tenants: [ONE] };
      expect(only(await context.search('evict', [own], one)).sourceId).toBe(own.sourceId);
      await expect(context.search('evict', [foreign], one)).rejects.toThrow('may not see');
      await expect(
        context.search('evict', [own], { ...one, corpus: [own, foreign] }),
      ).rejects.toThrow('may not see');
      // A source of one tenant under the id of the other is not there.
      await expect(context.search('evict', [{ ...foreign, tenantId: ONE }], one)).rejects.toThrow();
      await expect(context.search('evict', [own], { tenants: [] })).rejects.toThrow(
        'must name the tenants',
      );
      const { tenants, ...unnamed }: CandidateQuery = {
        ...one,
        ...NOTHING_ASKED,
        scope: [own],
        corpus: [own],
      };
      // @ts-expect-error: a query without tenants does not compile.
      await expect(context.index.candidates(unnamed)).rejects.toThrow();
      expect(tenants).toEqual([ONE]);
    });
  });
}
