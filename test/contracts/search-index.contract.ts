import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { isFootnoteError } from '#contracts';
import {
  analyseQuery,
  embedTerms,
  HASH_NGRAM_ID,
  type LocalModel,
  weighTerms,
  WORD_HASHING,
} from '#retrieval';
import type { Candidate, CandidateQuery, Candidates, LiveSource, SearchIndex } from '#search-index';

import {
  axis,
  type ChunkSketch,
  IndexedSource,
  type SketchModel,
  uuidOf,
} from '../support/indexed-source.js';
import { localTermModel } from '../support/term-model.js';

export interface OpenedIndex {
  readonly index: SearchIndex;
  /** Closes the index and opens it again on the same data. */
  reopen(): Promise<SearchIndex>;
  dispose(): Promise<void>;
}

const ONE = uuidOf('tenant one');
const TWO = uuidOf('tenant two');

const CACHE: ChunkSketch = {
  path: 'src/cache.ts',
  text: 'export class LruCache { evict oldest entry }',
  symbol: 'LruCache',
  defs: ['LruCache'],
};
const RETRY: ChunkSketch = {
  path: 'src/retry.ts',
  text: 'retry the request with backoff',
  symbol: 'retry',
  defs: ['retry'],
};
const SOCKET: ChunkSketch = {
  path: 'src/socket.go',
  text: 'open socket and read frames',
  language: 'go',
};

const NO_VECTOR = (): Promise<null> => Promise.resolve(null);
const NOTHING_ASKED = { terms: [], identifiers: [], limit: 1, vectorFor: NO_VECTOR } as const;

/** The contract of every search engine. `open` returns an empty index. */
export function searchIndexContract(name: string, open: () => Promise<OpenedIndex>): void {
  describe(`search index contract: ${name}`, () => {
    let opened: OpenedIndex;
    let index: SearchIndex;

    beforeEach(async () => {
      opened = await open();
      index = opened.index;
    });
    afterEach(() => opened.dispose());

    async function search(
      text: string,
      scope: readonly LiveSource[],
      changes: Partial<CandidateQuery> = {},
    ): Promise<Candidates> {
      const query = analyseQuery(text);
      return index.candidates({
        tenants: scope.concat(changes.corpus ?? []).map(({ tenantId }) => tenantId),
        scope,
        corpus: scope,
        terms: query.terms,
        vectorFor: async (model) =>
          model === HASH_NGRAM_ID && query.terms.length > 0
            ? embedTerms(query.terms, query.frequencies)
            : null,
        identifiers: query.identifiers,
        limit: 200,
        ...changes,
      });
    }
    const found = (result: Candidates): string[] =>
      result.candidates.map(({ path }) => path).sort();
    const only = (result: Candidates): Candidate => {
      expect(result.candidates).toHaveLength(1);
      return result.candidates[0] as Candidate;
    };
    async function apply(
      source: IndexedSource,
      generation: number,
      ...sketches: ChunkSketch[]
    ): Promise<LiveSource> {
      await index.applyGeneration(
        source.manifest(generation, [source.pack(sketches)]),
        source.readBlob,
      );
      return source.at(generation);
    }

    async function applyBy(
      source: IndexedSource,
      model: SketchModel | LocalModel,
      ...sketches: ChunkSketch[]
    ): Promise<LiveSource> {
      const manifest = source.manifest(1, [source.pack(sketches, [], model)], model);
      await index.applyGeneration(manifest, source.readBlob);
      return source.at(1);
    }

    describe('candidates', () => {
      it('carry everything the ranker and the citation need', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const live = await apply(source, 1, CACHE);
        const weighed = weighTerms({
          path: CACHE.path,
          symbol: 'LruCache',
          defs: ['LruCache'],
          content: CACHE.text,
        });
        const candidate = only(await search('evict LruCache unheard', [live]));
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
        const { terms } = analyseQuery('evict LruCache unheard');
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
        const live = await apply(new IndexedSource(ONE, uuidOf('s')), 1, noted, CACHE);
        expect(
          only(await search('hypotenuse', [live], { vectorFor: NO_VECTOR })).definitions,
        ).toEqual(definitions);
        expect(
          only(await search('LruCache', [live], { vectorFor: NO_VECTOR })).definitions,
        ).toEqual([]);
        index = await opened.reopen();
        expect(
          only(await search('hypotenuse', [live], { vectorFor: NO_VECTOR })).definitions,
        ).toEqual(definitions);
      });

      it('have a fragment and no lines where their document has none, and are filtered by its path', async () => {
        const path = 'https://docs.example/cache';
        const page: ChunkSketch = { path, text: 'evict and see', page: true, fragment: '#see' };
        const live = await apply(new IndexedSource(ONE, uuidOf('s')), 1, page);
        const without = {
          path,
          fragment: '#see',
          startLine: undefined,
          endLine: undefined,
          chunkType: 'docs',
        };
        expect(only(await search('evict', [live]))).toMatchObject(without);
        expect(await index.document(live, path)).toMatchObject([without]);
        expect(await index.document(live, `${path}#see`)).toEqual([]);
        const paths = (glob: string) => ({ filter: { paths: [glob], languages: [] } });
        expect(found(await search('evict', [live], paths(path)))).toEqual([path]);
        expect(found(await search('evict', [live], paths(`${path}#see`)))).toEqual([]);
      });

      it('have their cosine and term frequencies whichever leg found them', async () => {
        const live = await apply(new IndexedSource(ONE, uuidOf('s')), 1, CACHE, RETRY, SOCKET);
        const byTerm = await search('request', [live], { vectorFor: NO_VECTOR });
        expect(found(byTerm)).toEqual(['src/retry.ts']);
        expect(only(byTerm).cosine).toBe(0);
        const both = await search('request', [live], { limit: 1 });
        expect(only(both).cosine).toBeGreaterThan(0.1);
        const byVector = await search('retrying requested', [live], { terms: [] });
        expect(
          byVector.candidates.find(({ path }) => path === 'src/retry.ts')?.cosine,
        ).toBeGreaterThan(0.1);
      });

      it('include what defines a name of the query, in its exact case', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const live = await apply(source, 1, { ...SOCKET, defs: ['Zed'] }, RETRY);
        const empty = { terms: [], vectorFor: NO_VECTOR };
        expect(found(await search('', [live], { ...empty, identifiers: ['Zed'] }))).toEqual([
          'src/socket.go',
        ]);
        expect(found(await search('', [live], { ...empty, identifiers: ['zed'] }))).toEqual([]);
      });

      it('are at most `limit` a leg, the best of them', async () => {
        const sketches = Array.from({ length: 30 }, (_, i) => ({
          path: `f${String(i).padStart(2, '0')}.ts`,
          text: `needle ${'needle '.repeat(i)}hay straw grass field`,
        }));
        const live = await apply(new IndexedSource(ONE, uuidOf('s')), 1, ...sketches);
        const result = await search('needle', [live], { limit: 3, vectorFor: NO_VECTOR });
        expect(found(result)).toEqual(['f27.ts', 'f28.ts', 'f29.ts']);
      });

      it('are those of the lowest ids where the cut falls among equals', async () => {
        const sketches = Array.from({ length: 90 }, (_, i) => ({
          path: `f${i + 10}.ts`,
          text: 'same words here',
        }));
        const source = new IndexedSource(ONE, uuidOf('s'));
        const live = await apply(source, 1, ...sketches);
        const result = await search('same words', [live], { limit: 3, vectorFor: NO_VECTOR });
        const ids = sketches.map((sketch) => source.idOf(sketch)).sort();
        expect(result.candidates.map(({ chunkId }) => chunkId).sort()).toEqual(ids.slice(0, 3));
      });

      it('come in the same order every time', async () => {
        const sketches = Array.from({ length: 20 }, (_, i) => ({
          path: `f${i}.ts`,
          text: 'same words here',
        }));
        const live = await apply(new IndexedSource(ONE, uuidOf('s')), 1, ...sketches);
        const first = await search('same words', [live], { limit: 5 });
        expect(await search('same words', [live], { limit: 5 })).toEqual(first);
      });

      it('are those that the filter lets through, before the cut to `limit`', async () => {
        const sketches = Array.from({ length: 20 }, (_, i) => ({
          path: `f${i}.ts`,
          text: 'frame frame frame',
        }));
        const live = await apply(new IndexedSource(ONE, uuidOf('s')), 1, ...sketches, SOCKET);
        const filter = { paths: ['src/**'], languages: ['Go'] };
        expect(found(await search('frames', [live], { limit: 2, filter }))).toEqual([
          'src/socket.go',
        ]);
      });

      it('are empty for a query without a term, or an empty scope', async () => {
        const live = await apply(new IndexedSource(ONE, uuidOf('s')), 1, CACHE);
        expect((await search('???', [live])).candidates).toEqual([]);
        expect((await search('evict', [], { corpus: [live] })).candidates).toEqual([]);
      });

      it('never contain or count a tenant that the query does not name: such a query is rejected', async () => {
        const own = await apply(new IndexedSource(ONE, uuidOf('s')), 1, CACHE);
        const foreign = await apply(new IndexedSource(TWO, uuidOf('f')), 1, CACHE);
        const one = { tenants: [ONE] };
        expect(only(await search('evict', [own], one)).sourceId).toBe(own.sourceId);
        await expect(search('evict', [foreign], one)).rejects.toThrow('may not see');
        await expect(search('evict', [own], { ...one, corpus: [own, foreign] })).rejects.toThrow(
          'may not see',
        );
        // A source of one tenant under the id of the other is not there.
        await expect(search('evict', [{ ...foreign, tenantId: ONE }], one)).rejects.toThrow();
        await expect(search('evict', [own], { tenants: [] })).rejects.toThrow(
          'must name the tenants',
        );
        const { tenants, ...unnamed }: CandidateQuery = {
          ...one,
          ...NOTHING_ASKED,
          scope: [own],
          corpus: [own],
        };
        // @ts-expect-error: a query without tenants does not compile.
        await expect(index.candidates(unnamed)).rejects.toThrow();
        expect(tenants).toEqual([ONE]);
      });

      it('have no cosine, and name no model, where the query has no vector', async () => {
        const live = await apply(new IndexedSource(ONE, uuidOf('s')), 1, CACHE);
        expect(only(await search('evict', [live], { vectorFor: NO_VECTOR }))).toMatchObject({
          cosine: 0,
        });
        expect(
          only(await search('evict', [live], { vectorFor: NO_VECTOR })).cosineModel,
        ).toBeUndefined();
        expect(only(await search('evict', [live])).cosineModel).toBe(HASH_NGRAM_ID);
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
          await apply(hashed, 1, CACHE),
          await applyBy(learned, model, SOCKET, RETRY),
          await applyBy(gone, { ...model, id: 'gone@16' }, SOCKET),
        ];
        const asked: string[] = [];
        const own = analyseQuery('evict entries');
        const result = await search('evict entries', scope, {
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
        const byTerm = await search('frames', [scope[2] as LiveSource]);
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
          await applyBy(former, WORD_HASHING, CACHE),
          await applyBy(newer, meaning, CACHE, SOCKET),
        ];
        const models = new Map([WORD_HASHING, meaning].map((model) => [model.id, model]));
        const ask = (text: string) => {
          const { terms, frequencies } = analyseQuery(text);
          return search(text, scope, {
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
        await index.applyGeneration(manifest, former.readBlob);
        scope[0] = former.at(2);
        const anew = (await ask('discard')).candidates.filter(({ cosine }) => cosine > 0.3);
        expect(anew.map(({ sourceId }) => sourceId).sort()).toEqual(
          [former.sourceId, newer.sourceId].sort(),
        );
      });

      it('fail as the model does when the query cannot be embedded', async () => {
        const live = await apply(new IndexedSource(ONE, uuidOf('s')), 1, CACHE);
        const away = (): Promise<never> => Promise.reject(new Error('the model is away'));
        await expect(search('evict', [live], { vectorFor: away })).rejects.toThrow(
          'the model is away',
        );
        // Without content there is no model to ask.
        expect((await search('evict', [], { corpus: [live], vectorFor: away })).candidates).toEqual(
          [],
        );
      });
    });

    describe('statistics', () => {
      it('cover the corpus, whatever the scope', async () => {
        const a = await apply(new IndexedSource(ONE, uuidOf('a')), 1, CACHE, RETRY);
        const b = await apply(new IndexedSource(ONE, uuidOf('b')), 1, SOCKET);
        const { statistics } = await search('request socket nothing', [a], { corpus: [a, b] });
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
        await apply(source, 1, CACHE, RETRY, SOCKET);
        const pack = source.pack([CACHE, RETRY, SOCKET], [RETRY.path]);
        await index.applyGeneration(source.manifest(2, [pack]), source.readBlob);
        const other = await apply(new IndexedSource(ONE, uuidOf('b')), 1, SOCKET);
        const corpus = [source.at(2), other];
        const searched = async (scope: readonly LiveSource[], more: Partial<CandidateQuery> = {}) =>
          (await search('request', scope, { corpus, ...more })).searched;
        expect(await searched(corpus)).toBe(3);
        expect(await searched([source.at(2)])).toBe(2);
        expect(await searched([source.at(2)], { vectorFor: NO_VECTOR })).toBe(2);
        expect(await searched([])).toBe(0);
        expect(await searched(corpus, { filter: { paths: ['**'], languages: [] } })).toBeNull();
        expect(
          await searched(corpus, { filter: { paths: ['nowhere'], languages: [] } }),
        ).toBeNull();
      });

      it('leave dropped chunks and other generations out', async () => {
        const source = new IndexedSource(ONE, uuidOf('a'));
        await apply(source, 1, CACHE, RETRY, SOCKET);
        const pack = source.pack([CACHE, RETRY, SOCKET], [RETRY.path]);
        await index.applyGeneration(source.manifest(2, [pack]), source.readBlob);
        const { statistics } = await search('request evict', [source.at(2)]);
        expect(statistics.documentFrequencies).toEqual([0, 1]);
        expect(statistics.chunks).toBe(2);
      });

      it('do not depend on how the content is cut into packs', async () => {
        const whole = new IndexedSource(ONE, uuidOf('a'));
        const pieces = new IndexedSource(ONE, uuidOf('b'));
        await apply(whole, 1, CACHE, RETRY, SOCKET);
        const packs = [pieces.pack([CACHE]), pieces.pack([RETRY, SOCKET])];
        await index.applyGeneration(pieces.manifest(1, packs), pieces.readBlob);
        const one = await search('open request', [whole.at(1)]);
        const two = await search('open request', [pieces.at(1)]);
        expect(two.statistics).toEqual(one.statistics);
        expect(found(two)).toEqual(found(one));
      });
    });

    describe('generations', () => {
      it('are not seen before a query names them, and all at once when it does', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        await apply(source, 1, CACHE);
        await apply(source, 2, RETRY, SOCKET);
        expect(found(await search('evict retry socket', [source.at(1)]))).toEqual(['src/cache.ts']);
        expect(found(await search('evict retry socket', [source.at(2)]))).toEqual([
          'src/retry.ts',
          'src/socket.go',
        ]);
      });

      it('share packs, each without the chunks that it dropped', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        await apply(source, 1, CACHE, RETRY);
        const changed = { ...RETRY, text: 'retry differently' };
        const packs = [source.pack([CACHE, RETRY], [RETRY.path]), source.pack([changed])];
        expect(await index.applyGeneration(source.manifest(2, packs), source.readBlob)).toBe(2);
        const [live] = (await search('retry', [source.at(2)], { vectorFor: NO_VECTOR })).candidates;
        expect(live?.chunkId).toBe(source.idOf(changed));
        expect(
          found(await search('retry request', [source.at(1)], { vectorFor: NO_VECTOR })),
        ).toEqual(['src/retry.ts']);
        expect(
          await index.contents(source.at(2), [source.idOf(RETRY), source.idOf(changed)]),
        ).toEqual([undefined, 'retry differently']);
      });

      it('change nothing when they are applied twice, also at once', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const manifest = source.manifest(1, [source.pack([CACHE, RETRY])]);
        const counts = await Promise.all(
          [1, 2, 3].map(() => index.applyGeneration(manifest, source.readBlob)),
        );
        expect(counts).toEqual([2, 2, 2]);
        expect(await index.generations()).toEqual([source.at(1)]);
        await index.dropGeneration(ONE, source.sourceId, 1);
        expect(await index.generations()).toEqual([]);
      });

      it('may be empty', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        expect(await index.applyGeneration(source.manifest(1, []), source.readBlob)).toBe(0);
        expect((await search('evict', [source.at(1)])).candidates).toEqual([]);
      });

      it('answer engine_unavailable when they are not loaded, never an empty list', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const live = await apply(source, 1, CACHE);
        const unavailable = expect.objectContaining({ code: 'engine_unavailable' });
        await expect(search('evict', [source.at(2)])).rejects.toEqual(unavailable);
        await expect(search('evict', [live], { corpus: [live, source.at(2)] })).rejects.toEqual(
          unavailable,
        );
        await expect(index.contents(source.at(2), [])).rejects.toEqual(unavailable);
        await expect(index.document(source.at(2), CACHE.path)).rejects.toEqual(unavailable);
      });

      it('are gone when dropped, and leave the packs of others alone; dropping an unknown one is nothing', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        await apply(source, 1, CACHE, RETRY);
        await apply(source, 2, CACHE, RETRY);
        await index.dropGeneration(ONE, source.sourceId, 1);
        await index.dropGeneration(ONE, source.sourceId, 9);
        expect(await index.generations()).toEqual([source.at(2)]);
        const gone = await search('evict', [source.at(1)]).catch((error: unknown) => error);
        expect(isFootnoteError(gone, 'engine_unavailable')).toBe(true);
        expect(found(await search('evict', [source.at(2)], { vectorFor: NO_VECTOR }))).toEqual([
          'src/cache.ts',
        ]);
      });

      it('leave nothing behind when their packs cannot be had, and can be applied later', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const manifest = source.manifest(1, [source.pack([CACHE]), source.pack([RETRY])]);
        let reads = 0;
        const failing = (hash: string): Promise<Uint8Array> =>
          ++reads === 2 ? Promise.reject(new Error('away')) : source.readBlob(hash);
        await expect(index.applyGeneration(manifest, failing)).rejects.toThrow('away');
        expect(await index.generations()).toEqual([]);
        expect(await index.applyGeneration(manifest, source.readBlob)).toBe(2);
      });

      it('are still there after a restart', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const packs = [source.pack([CACHE, RETRY], [RETRY.path]), source.pack([SOCKET])];
        await index.applyGeneration(source.manifest(3, packs), source.readBlob);
        const before = await search('evict retry socket', [source.at(3)]);
        index = await opened.reopen();
        expect(await index.generations()).toEqual([source.at(3)]);
        expect(await search('evict retry socket', [source.at(3)])).toEqual(before);
        expect(await index.contents(source.at(3), [source.idOf(SOCKET)])).toEqual([SOCKET.text]);
      });
    });

    describe('an index that is built next to the active one', () => {
      const never = (): boolean => false;
      const always = (): boolean => true;
      const idsOf = async (live: LiveSource): Promise<string[]> => {
        const ids: string[] = [];
        for await (const id of index.chunkIds(live)) ids.push(id);
        return ids.sort();
      };

      it('is not seen until it is shown, and then is all that is seen, after a restart too', async () => {
        const [kept, gone] = [
          new IndexedSource(ONE, uuidOf('kept')),
          new IndexedSource(ONE, uuidOf('gone')),
        ];
        const manifest = kept.manifest(2, [
          kept.pack([CACHE, RETRY, SOCKET], [SOCKET.path]),
          kept.pack([SOCKET]),
        ]);
        await index.applyGeneration(manifest, kept.readBlob);
        await apply(gone, 1, CACHE);
        const before = await search('evict retry socket', [kept.at(2)]);
        const beside = await index.buildBeside();
        expect(await beside.generations()).toEqual([]);
        expect(await beside.applyGeneration(manifest, kept.readBlob)).toBe(3);
        expect(await beside.applyGeneration(manifest, kept.readBlob)).toBe(3);
        expect(await index.generations()).toHaveLength(2);
        expect(await search('evict retry socket', [kept.at(2)])).toEqual(before);
        expect(await beside.show(({ sourceId }) => sourceId === kept.sourceId)).toBe(true);
        for (let round = 0; round < 2; round += 1) {
          expect(await index.generations()).toEqual([kept.at(2)]);
          expect(await search('evict retry socket', [kept.at(2)])).toEqual(before);
          expect(await idsOf(kept.at(2))).toEqual(
            [CACHE, RETRY, SOCKET].map((each) => kept.idOf(each)).sort(),
          );
          expect(await index.contents(kept.at(2), [kept.idOf(SOCKET)])).toEqual([SOCKET.text]);
          index = await opened.reopen();
        }
        await apply(kept, 3, SOCKET);
        await index.dropGeneration(ONE, kept.sourceId, 2);
        expect(await index.generations()).toEqual([kept.at(3)]);
        expect(found(await search('evict frames', [kept.at(3)], { vectorFor: NO_VECTOR }))).toEqual(
          [SOCKET.path],
        );
      });

      it('takes no place where it lacks what is required, and may be filled further', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const live = await apply(source, 1, CACHE);
        const beside = await index.buildBeside();
        expect(await beside.show(always)).toBe(false);
        expect(found(await search('evict', [live], { vectorFor: NO_VECTOR }))).toEqual([
          CACHE.path,
        ]);
        await apply(source, 2, RETRY);
        await beside.applyGeneration(source.manifest(1, [source.pack([CACHE])]), source.readBlob);
        expect(await beside.show(always)).toBe(false);
        await beside.applyGeneration(source.manifest(2, [source.pack([RETRY])]), source.readBlob);
        expect(await beside.show(always)).toBe(true);
        expect(found(await search('retry', [source.at(2)], { vectorFor: NO_VECTOR }))).toEqual([
          RETRY.path,
        ]);
      });

      it('leaves the one that serves when it is discarded or a process dies over it, and can be begun again', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const live = await apply(source, 1, CACHE);
        const manifest = source.manifest(1, [source.pack([CACHE])]);
        const discarded = await index.buildBeside();
        await discarded.applyGeneration(manifest, source.readBlob);
        await discarded.discard();
        await (await index.buildBeside()).applyGeneration(manifest, source.readBlob);
        index = await opened.reopen();
        expect(await index.generations()).toEqual([live]);
        expect(found(await search('evict', [live], { vectorFor: NO_VECTOR }))).toEqual([
          CACHE.path,
        ]);
        for (let round = 0; round < 2; round += 1) {
          const beside = await index.buildBeside();
          await beside.applyGeneration(manifest, source.readBlob);
          expect(await beside.show(always)).toBe(true);
          await beside.discard();
          expect(await index.contents(live, [source.idOf(CACHE)])).toEqual([CACHE.text]);
        }
      });

      it('can take over a generation whose content is lost, and nothing where there is none', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        await apply(source, 1, CACHE);
        const packs = [source.pack([CACHE, RETRY], [CACHE.path]), source.pack([SOCKET])];
        await index.applyGeneration(source.manifest(2, packs), source.readBlob);
        const before = await search('evict retry socket', [source.at(2)]);
        const beside = await index.buildBeside();
        await beside.takeOver(source.at(7));
        expect(await beside.generations()).toEqual([]);
        await beside.applyGeneration(source.manifest(1, [source.pack([CACHE])]), source.readBlob);
        await beside.takeOver(source.at(2));
        expect(await beside.generations()).toEqual([source.at(1), source.at(2)]);
        await beside.dropGeneration(ONE, source.sourceId, 1);
        expect(await beside.show(never)).toBe(true);
        expect(await index.generations()).toEqual([source.at(2)]);
        expect(await search('evict retry socket', [source.at(2)])).toEqual(before);
        expect(await idsOf(source.at(2))).toEqual(
          [RETRY, SOCKET].map((each) => source.idOf(each)).sort(),
        );
      });
    });

    describe('tenants', () => {
      it('never see each other, even with one source id and the same content', async () => {
        const [mine, theirs] = [ONE, TWO].map(
          (tenant) => new IndexedSource(tenant, uuidOf('same')),
        ) as [IndexedSource, IndexedSource];
        const live = await apply(mine, 1, CACHE);
        await apply(theirs, 1, CACHE, RETRY);
        const result = await search('evict retry', [live]);
        expect(result.candidates.map(({ chunkId }) => chunkId)).toEqual([mine.idOf(CACHE)]);
        expect(result.statistics.chunks).toBe(1);
        expect(await index.contents(live, [theirs.idOf(CACHE)])).toEqual([undefined]);
        await index.dropGeneration(ONE, mine.sourceId, 1);
        expect(await index.generations()).toEqual([theirs.at(1)]);
      });

      it('cannot load a pack of another tenant', async () => {
        const [mine, theirs] = [ONE, TWO].map(
          (tenant) => new IndexedSource(tenant, uuidOf('same')),
        ) as [IndexedSource, IndexedSource];
        const stolen = mine.manifest(1, [theirs.pack([CACHE])]);
        await expect(index.applyGeneration(stolen, theirs.readBlob)).rejects.toThrow(
          'does not belong',
        );
        expect(await index.generations()).toEqual([]);
      });
    });

    describe('content', () => {
      it('comes back in the order asked, byte for byte', async () => {
        const odd: ChunkSketch = { path: 'odd.ts', text: 'tab\t crlf\r\n “quotes” 😀 \u0000 end' };
        const big: ChunkSketch = { path: 'big.ts', text: 'line of text\n'.repeat(20_000) };
        const source = new IndexedSource(ONE, uuidOf('s'));
        const live = await apply(source, 1, CACHE, odd, big);
        const ids = [source.idOf(odd), uuidOf('unknown'), source.idOf(CACHE), source.idOf(big)];
        expect(await index.contents(live, ids)).toEqual([
          odd.text,
          undefined,
          CACHE.text,
          big.text,
        ]);
        expect(await index.contents(live, ['not-an-id'])).toEqual([undefined]);
      });

      it('of a path is its chunks in order, from whichever pack', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const pieces = [2, 0, 1].map((ordinal) => ({
          path: 'a/b.ts',
          text: `part ${ordinal}`,
          ordinal,
        }));
        const live = await apply(
          source,
          1,
          ...pieces,
          { path: 'a/b.tsx', text: 'other' },
          { path: 'a', text: 'other' },
        );
        const document = await index.document(live, 'a/b.ts');
        expect(document.map(({ content, ordinal }) => [content, ordinal])).toEqual([
          ['part 0', 0],
          ['part 1', 1],
          ['part 2', 2],
        ]);
        expect(document[1]).toEqual({
          chunkId: source.idOf({ path: 'a/b.ts', text: 'part 1', ordinal: 1 }),
          sourceId: source.sourceId,
          path: 'a/b.ts',
          fragment: undefined,
          ordinal: 1,
          startLine: 11,
          endLine: 11,
          content: 'part 1',
          tokenCount: 2,
          symbol: undefined,
          language: 'typescript',
          chunkType: 'code',
        });
        expect(await index.document(live, 'missing.ts')).toEqual([]);
      });

      it('lists the ids of exactly the live chunks', async () => {
        const source = new IndexedSource(ONE, uuidOf('s'));
        const packs = [source.pack([CACHE, RETRY], [CACHE.path]), source.pack([SOCKET])];
        await index.applyGeneration(source.manifest(1, packs), source.readBlob);
        const ids: string[] = [];
        for await (const id of index.chunkIds(source.at(1))) ids.push(id);
        expect(ids.sort()).toEqual([source.idOf(RETRY), source.idOf(SOCKET)].sort());
      });
    });
  });
}
