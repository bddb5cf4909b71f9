import { describe, expect, it } from '@jest/globals';

import { analyzeQuery, embedTerms, HASH_NGRAM_ID, MEANING_ID, WORD_HASHING } from '#retrieval';
import type { Candidate, LiveSource } from '#search-index';

import { axis, IndexedSource, uuidOf } from '../../support/indexed-source.js';
import { localTermModel } from '../../support/term-model.js';
import {
  CACHE,
  found,
  type IndexContext,
  NO_VECTOR,
  ONE,
  only,
  RETRY,
  SOCKET,
} from './index-context.js';

/** Cosines, by the model of each generation. */
export function vectorsContract(context: IndexContext): void {
  describe('candidates by vector', () => {
    it('have the same cosines in each layout, for whatever retriever found the chunk', async () => {
      const embed = (text: string): Float32Array =>
        Float32Array.from({ length: 384 }, (_, at) => Math.sin(text.length * (at + 1)) / 14);
      const sketches = ['aa', 'bbb', 'cccc', 'ddddd'].map((text, at) => ({
        path: `${at}.ts`,
        text,
      }));
      const found: unknown[] = [];
      for (const [id, dimensions] of [
        [MEANING_ID, 384],
        ['other-384', 384],
      ] as const) {
        const source = new IndexedSource(ONE, uuidOf('layout'));
        const live = await context.applyBy(source, { id, dimensions, embed }, ...sketches);
        const vectorFor = () => Promise.resolve(embed('bbb'));
        for (const changes of [
          {},
          { retrievalVersion: 1 },
          { retrievalVersion: 2 },
          { filter: { paths: ['2.ts'], languages: [] } },
        ]) {
          const { candidates } = await context.search('cccc', [live], { vectorFor, ...changes });
          found.push(candidates.map(({ path, cosine }) => [path, cosine.toFixed(4)]));
        }
        const files = sketches.map(({ path }) => ({ source: live, path }));
        const chunks = await context.index.fileChunks({
          tenants: [ONE],
          files,
          terms: [],
          vectorFor,
          limit: 5,
        });
        found.push(chunks.map(({ path, cosine }) => [path, cosine.toFixed(4)]));
        await context.index.dropGeneration(ONE, source.sourceId, 1);
      }
      expect(found.slice(5)).toEqual(found.slice(0, 5));
      expect(found[0]).toEqual(
        expect.arrayContaining([['1.ts', expect.stringMatching(/^(0\.9|1\.0)/)]]),
      );
    });

    it('have no cosine, and name no model, where the query has no vector', async () => {
      const live = await context.apply(new IndexedSource(ONE, uuidOf('s')), 1, CACHE);
      expect(only(await context.search('evict', [live], { vectorFor: NO_VECTOR }))).toMatchObject({
        cosine: 0,
      });
      expect(
        only(await context.search('evict', [live], { vectorFor: NO_VECTOR })).cosineModel,
      ).toBeUndefined();
      expect(only(await context.search('evict', [live])).cosineModel).toBe(HASH_NGRAM_ID);
    });

    it('of generations of different models are each compared with the vector of their own', async () => {
      const [hashed, learned, gone] = ['h', 'l', 'g'].map(
        (name) => new IndexedSource(ONE, uuidOf(name)),
      ) as [IndexedSource, IndexedSource, IndexedSource];
      const model = {
        id: 'learned@16',
        dimensions: 16,
        embed: (text: string) => axis(text.includes('frames') ? 3 : 5),
      };
      const scope = [
        await context.apply(hashed, 1, CACHE),
        await context.applyBy(learned, model, SOCKET, RETRY),
        await context.applyBy(gone, { ...model, id: 'gone@16' }, SOCKET),
      ];
      const asked: string[] = [];
      const own = analyzeQuery('evict entries');
      const result = await context.search('evict entries', scope, {
        vectorFor: async (id) => {
          asked.push(id);
          if (id === HASH_NGRAM_ID) return embedTerms(own.terms, own.frequencies);
          return id === model.id ? axis(3) : null;
        },
      });
      expect(asked.sort()).toEqual(['gone@16', HASH_NGRAM_ID, 'learned@16'].sort());
      // Nothing but its vector finds the chunk of the learned model; the one of the model that is
      // gone has none.
      expect(found(result)).toEqual(['src/cache.ts', 'src/socket.go']);
      const at = (path: string): Candidate =>
        result.candidates.find((each) => each.path === path) as Candidate;
      expect(at('src/cache.ts').cosineModel).toBe(HASH_NGRAM_ID);
      expect(at('src/cache.ts').cosine).toBeGreaterThan(0.1);
      expect(at('src/socket.go')).toMatchObject({
        cosineModel: model.id,
        sourceId: learned.sourceId,
      });
      expect(at('src/socket.go').cosine).toBeCloseTo(1, 2);
      const byTerm = await context.search('frames', [scope[2] as LiveSource]);
      expect(only(byTerm)).toMatchObject({ sourceId: gone.sourceId, cosine: 0 });
      expect(only(byTerm).cosineModel).toBeUndefined();
    });

    it('of generations of two local models are each found by the vectors of their own, of other dimensions', async () => {
      const meaning = localTermModel([
        ['evict', axis(2)],
        ['discard', axis(2)],
        ['socket', axis(9)],
      ]);
      const [former, newer] = [
        new IndexedSource(ONE, uuidOf('f')),
        new IndexedSource(ONE, uuidOf('n')),
      ];
      const scope = [
        await context.applyBy(former, WORD_HASHING, CACHE),
        await context.applyBy(newer, meaning, CACHE, SOCKET),
      ];
      const models = new Map([WORD_HASHING, meaning].map((model) => [model.id, model]));
      const ask = (text: string) => {
        const { terms, frequencies } = analyzeQuery(text);
        return context.search(text, scope, {
          vectorFor: async (id) => models.get(id)?.embed(terms, frequencies) ?? null,
        });
      };
      const both = (await ask('evict')).candidates.filter(({ path }) => path === CACHE.path);
      expect(both.map(({ sourceId, cosineModel }) => [sourceId, cosineModel]).sort()).toEqual(
        [
          [former.sourceId, WORD_HASHING.id],
          [newer.sourceId, meaning.id],
        ].sort(),
      );
      // No letters in common: only the generation of the model that knows the word's meaning has
      // an answer near to it.
      const { candidates } = await ask('discard');
      const near = candidates.filter(({ cosine }) => cosine > 0.3);
      expect(near.map(({ sourceId, path }) => [sourceId, path])).toEqual([
        [newer.sourceId, CACHE.path],
      ]);
      // After another sync, the former generation is found by it too.
      const manifest = former.manifest(2, [former.pack([CACHE], [], meaning)], meaning);
      await context.index.applyGeneration(manifest, former.readBlob);
      scope[0] = former.at(2);
      const again = (await ask('discard')).candidates.filter(({ cosine }) => cosine > 0.3);
      expect(again.map(({ sourceId }) => sourceId).sort()).toEqual(
        [former.sourceId, newer.sourceId].sort(),
      );
    });

    it('fail as the model does when the query cannot be embedded', async () => {
      const live = await context.apply(new IndexedSource(ONE, uuidOf('s')), 1, CACHE);
      const away = (): Promise<never> => Promise.reject(new Error('the model is away'));
      await expect(context.search('evict', [live], { vectorFor: away })).rejects.toThrow(
        'the model is away',
      );
      // Without content there is no model to ask.
      expect(
        (await context.search('evict', [], { corpus: [live], vectorFor: away })).candidates,
      ).toEqual([]);
    });
  });
}
