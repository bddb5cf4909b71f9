import { setTimeout as delay } from 'node:timers/promises';

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';

import { seeded } from '#platform';
import { analyzeQuery, embedTerms, HASH_NGRAM_ID, modelProfile, rank } from '#retrieval';
import {
  type CandidateQuery,
  type LiveSource,
  openSegmentIndex,
  type SearchIndex,
} from '#search-index';
import { SearchServer } from '#search-index/opensearch/server';

import { searchIndexContract } from '../contracts/search-index.contract.js';
import { describeWhen } from '../support/describe-when.js';
import { type ChunkSketch, IndexedSource, uuidOf } from '../support/indexed-source.js';
import { controlOpenSearch, OpenSearchIndices } from '../support/opensearch-server.js';
import { PROJECT_ROOT } from '../support/project-root.js';
import { sketchFiles, trackedFiles } from '../support/repository-sketches.js';
import { tempDir } from '../support/temp-dir.js';

const ONE = uuidOf('tenant one');
const TWO = uuidOf('tenant two');
const FAST_RETRY = { retries: 3, retryDelayMs: 20 };
const UNAVAILABLE = expect.objectContaining({
  code: 'engine_unavailable',
  retryAfter: expect.any(Number),
});

/** Time to load this repository into both engines, also on a busy machine. */
const WHOLE_REPOSITORY_MS = 600_000;

// Each test makes indices of its own.
jest.setTimeout(120_000);

describeWhen('OPENSEARCH_URL', 'OpenSearch', (url) => {
  searchIndexContract('OpenSearch', async () => {
    const indices = new OpenSearchIndices(url);
    return {
      index: await indices.open(),
      reopen: () => indices.open(),
      dispose: () => indices.dispose(),
    };
  });

  it('restores lost rows by a build of another index, repeatedly and in every process', async () => {
    const indices = new OpenSearchIndices(url);
    try {
      const [index, other] = [await indices.open(), await indices.open({ recordsKeptMs: 1 })];
      const source = new IndexedSource(ONE, uuidOf('lost rows'));
      const kept = { path: 'kept.ts', text: 'what stays' };
      const lost = { path: 'lost.ts', text: 'what goes' };
      const manifest = source.manifest(1, [source.pack([kept, lost])]);
      await index.applyGeneration(manifest, source.readBlob);
      for (let round = 0; round < 2; round += 1) {
        await indices.loseRows(lost.path);
        expect(await index.applyGeneration(manifest, source.readBlob)).toBe(2);
        expect(await index.contents(source.at(1), [source.idOf(lost)])).toEqual([undefined]);
        const abandoned = await index.buildBeside();
        await abandoned.applyGeneration(manifest, source.readBlob);
        const beside = await index.buildBeside();
        await beside.applyGeneration(manifest, source.readBlob);
        expect(await index.contents(source.at(1), [source.idOf(lost)])).toEqual([undefined]);
        expect(await beside.show(() => true)).toBe(true);
        await beside.discard();
        for (const each of [index, other]) {
          expect(await each.contents(source.at(1), [source.idOf(lost)])).toEqual([lost.text]);
        }
        expect(await indices.names()).toHaveLength(2);
        expect([await indices.rows(), await indices.records()]).toEqual([2, 1]);
      }
      const next = source.manifest(2, [source.pack([kept])]);
      expect(await other.applyGeneration(next, source.readBlob)).toBe(1);
      expect(await index.generations()).toEqual([source.at(1), source.at(2)]);
    } finally {
      await indices.dispose();
    }
  });

  describe('OpenSearch and the embedded engine', () => {
    const indices = new OpenSearchIndices(url);
    const folder = tempDir('footnote-segments-');
    const source = new IndexedSource(ONE, uuidOf('this repository'));
    let sketches: ChunkSketch[];
    let engines: readonly [SearchIndex, SearchIndex];

    beforeAll(async () => {
      engines = [await openSegmentIndex({ directory: folder.path }), await indices.open()];
      sketches = await sketchFiles(
        PROJECT_ROOT,
        trackedFiles(PROJECT_ROOT, 'libs', 'apps', 'docs'),
      );
      const theirs = new IndexedSource(TWO, uuidOf('their repository'));
      const half = sketches.filter((_, at) => at % 2 === 0);
      for (const engine of engines) {
        await engine.applyGeneration(source.manifest(1, [source.pack(sketches)]), source.readBlob);
        await engine.applyGeneration(theirs.manifest(1, [theirs.pack(half)]), theirs.readBlob);
      }
    }, WHOLE_REPOSITORY_MS);
    afterAll(async () => {
      await engines[0].close();
      await indices.dispose();
      folder.remove();
    });

    it('rank fifty queries alike, with equal statistics and scores, whatever else lies in the index', async () => {
      const random = seeded(11);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
      let answered = 0;
      for (let at = 0; at < 50; at++) {
        const { text, defs = [] } = pick(sketches);
        const words = text.match(/[A-Za-z]{4,}/g) ?? ['configuration'];
        const phrase = Array.from({ length: 4 }, () => pick(words)).join(' ');
        const query = analyzeQuery(at % 2 === 0 ? (defs[0] ?? phrase) : phrase);
        const asked = queryOf(query, [source.at(1)]);
        const [embedded, distributed] = await Promise.all(
          engines.map((engine) => engine.candidates(asked)),
        );
        if (!embedded || !distributed) throw new Error('two engines were asked');
        expect(distributed.statistics).toEqual(embedded.statistics);
        expect(distributed.searched).toBe(embedded.searched);
        const [expected, ranked] = [embedded, distributed].map(
          ({ candidates, statistics, searched }) =>
            rank(query, candidates, statistics, {
              searched: { chunks: searched },
              profileOf: (model) => modelProfile(model),
              sourceOf: () => ({ priority: 1, isRepository: true, isStale: false, syncedAt: 0 }),
            }).slice(0, 10),
        );
        expect(ranked?.length).toBe(expected?.length);
        expected?.forEach(({ candidate, score }, place) => {
          const other = ranked?.[place];
          expect(other?.score).toBeCloseTo(score, 3);
          const tied = expected.filter((each) => Math.abs(each.score - score) < 1e-3);
          expect(tied.map((each) => each.candidate.chunkId)).toContain(other?.candidate.chunkId);
          answered += candidate.chunkId === other?.candidate.chunkId ? 1 : 0;
        });
      }
      expect(answered).toBeGreaterThan(300);
    });

    it('find the best of fifty queries without a second, deeper search', async () => {
      const searches = jest.spyOn(SearchServer.prototype, 'searches');
      try {
        const random = seeded(12);
        for (let at = 0; at < 50; at++) {
          const { text } = sketches[Math.floor(random() * sketches.length)] as ChunkSketch;
          const words = text.match(/[A-Za-z]{4,}/g) ?? ['configuration'];
          const phrase = words.slice(at % 7, (at % 7) + 4).join(' ');
          await engines[1].candidates(queryOf(analyzeQuery(phrase), [source.at(1)]));
        }
        const bodies = searches.mock.calls.flatMap(([, some]) => some.map(({ body }) => body));
        expect(bodies.length).toBeGreaterThan(100);
        // Chunks with equal scores still need one.
        expect(bodies.filter((body) => 'min_score' in body).length).toBeLessThan(10);
      } finally {
        searches.mockRestore();
      }
    });

    it('look for the rarest terms of an endless query, and score by all of them', async () => {
      const words = [
        ...new Set(sketches.flatMap(({ text }) => text.match(/[A-Za-z]{4,}/g) ?? [])),
      ].slice(0, 900);
      const asked = { ...queryOf(analyzeQuery(words.join(' ')), [source.at(1)]), limit: 50 };
      const [embedded, distributed] = await Promise.all(
        engines.map((engine) => engine.candidates(asked)),
      );
      expect(distributed?.statistics).toEqual(embedded?.statistics);
      const known = new Map(
        embedded?.candidates.map((candidate) => [candidate.chunkId, candidate]),
      );
      const common = distributed?.candidates.filter(({ chunkId }) => known.has(chunkId)) ?? [];
      expect(common.length).toBeGreaterThan(50);
      for (const candidate of common) {
        const expected = known.get(candidate.chunkId)?.termFrequencies ?? [];
        expect(Array.from(candidate.termFrequencies)).toEqual(Array.from(expected));
      }
    });
  });

  describe('OpenSearch generations', () => {
    let indices: OpenSearchIndices;
    let source: IndexedSource;

    beforeEach(() => {
      indices = new OpenSearchIndices(url);
      source = new IndexedSource(ONE, uuidOf('source'));
    });
    afterEach(() => indices.dispose());

    const sketch = (name: string): ChunkSketch => ({
      path: `${name}.ts`,
      text: `content of ${name}`,
    });
    const idsOf = async (index: SearchIndex, live: LiveSource): Promise<string[]> => {
      const ids: string[] = [];
      for await (const id of index.chunkIds(live)) ids.push(id);
      return ids.sort();
    };

    it.each([1, 2, 3])(
      'are exact after any history of changes, failures and drops (%i)',
      async (seed) => {
        const random = seeded(seed);
        const options = { bulk: { maxRows: 2 }, sweepDelayMs: 30 };
        // Two processes, of which now one and now the other changes the source.
        const processes = [
          await indices.open(options),
          await indices.open({ ...options, recordsKeptMs: 1 }),
        ] as const;
        const loaded = new Map<number, string[]>();
        for (let step = 0; step < 30; step++) {
          const index = processes[Math.floor(random() * 2)] as SearchIndex;
          const generation = 1 + Math.floor(random() * 6);
          const chosen = Array.from({ length: 12 }, (_, at) => sketch(`file${at}`)).filter(
            () => random() < 0.6,
          );
          const packs = [source.pack(chosen.slice(0, 5)), source.pack(chosen.slice(5))];
          const manifest = source.manifest(generation, packs);
          const action = random();
          if (action < 0.25) {
            await untilTaken(() => index.dropGeneration(ONE, source.sourceId, generation));
            loaded.delete(generation);
          } else if (action < 0.45) {
            const failing = (hash: string): Promise<Uint8Array> =>
              hash === packs[1]?.hash ? Promise.reject(new Error('away')) : source.readBlob(hash);
            const apply = (): Promise<number> => index.applyGeneration(manifest, failing);
            const outcome = await untilTaken(apply).catch((error: unknown) => error);
            if (outcome instanceof Error) loaded.delete(generation);
            // The process knew that there was nothing to write of the pack that could not be had.
            else loaded.set(generation, chosen.map((each) => source.idOf(each)).sort());
          } else {
            expect(await untilTaken(() => index.applyGeneration(manifest, source.readBlob))).toBe(
              chosen.length,
            );
            loaded.set(generation, chosen.map((each) => source.idOf(each)).sort());
          }
          await delay(5);
          const known = (await index.generations()).map((live) => live.generation);
          expect(known).toEqual([...loaded.keys()].sort());
          for (const [number, ids] of loaded)
            expect(await idsOf(index, source.at(number))).toEqual(ids);
        }
      },
    );

    it('write unchanged chunks once', async () => {
      const index = await indices.open();
      const packs = [source.pack([sketch('a'), sketch('b'), sketch('c')])];
      await index.applyGeneration(source.manifest(1, packs), source.readBlob);
      // Another pack with the same chunks and one more.
      const more = [source.pack([sketch('a'), sketch('b'), sketch('c'), sketch('d')])];
      await index.applyGeneration(source.manifest(2, more), source.readBlob);
      expect(await indices.rows()).toBe(4);
      expect(await idsOf(index, source.at(1))).toHaveLength(3);
    });

    it('read no pack again that the process knows and that has nothing to write, also after a sweep', async () => {
      const index = await indices.open({ sweepDelayMs: 20 });
      const read: string[] = [];
      const noting = (hash: string): Promise<Uint8Array> => {
        read.push(hash);
        return source.readBlob(hash);
      };
      const large = source.pack(['a', 'b', 'c'].map(sketch));
      for (let generation = 1; generation <= 4; generation++) {
        const small = source.pack([sketch(`small${generation}`)]);
        await index.applyGeneration(source.manifest(generation, [large, small]), noting);
        if (generation > 1) await index.dropGeneration(ONE, source.sourceId, generation - 1);
        await until(async () => (await indices.rows()) === 4);
        expect(read.splice(0)).toEqual(generation === 1 ? [large.hash, small.hash] : [small.hash]);
        const expected = ['a', 'b', 'c', `small${generation}`].map((name) =>
          source.idOf(sketch(name)),
        );
        expect(await idsOf(index, source.at(generation))).toEqual(expected.sort());
      }
    });

    it('do not see what a later generation left that was dropped', async () => {
      const index = await indices.open();
      const pack = (...names: string[]) => source.pack(names.map(sketch));
      await index.applyGeneration(source.manifest(5, [pack('a', 'b')]), source.readBlob);
      await index.dropGeneration(ONE, source.sourceId, 5);
      await index.applyGeneration(source.manifest(4, [pack('a', 'c')]), source.readBlob);
      await index.applyGeneration(source.manifest(6, [pack('a', 'd')]), source.readBlob);
      expect(await idsOf(index, source.at(6))).toEqual(
        ['a', 'd'].map((name) => source.idOf(sketch(name))).sort(),
      );
      expect(await idsOf(index, source.at(4))).toEqual(
        ['a', 'c'].map((name) => source.idOf(sketch(name))).sort(),
      );
    });

    it('leave no row and no record behind once all are dropped', async () => {
      const index = await indices.open({ sweepDelayMs: 20 });
      const [first, second] = [
        source.pack([sketch('a'), sketch('b')]),
        source.pack([sketch('b'), sketch('c')]),
      ];
      await index.applyGeneration(source.manifest(1, [first]), source.readBlob);
      await index.applyGeneration(source.manifest(2, [second]), source.readBlob);
      await index.dropGeneration(ONE, source.sourceId, 1);
      await until(async () => (await indices.rows()) === 2);
      expect(await idsOf(index, source.at(2))).toHaveLength(2);
      await index.dropGeneration(ONE, source.sourceId, 2);
      await until(async () => (await indices.rows()) === 0 && (await indices.records()) === 0);
    });

    it('that one process dropped are swept by the next', async () => {
      const first = await indices.open();
      await first.applyGeneration(
        source.manifest(1, [source.pack([sketch('a')])]),
        source.readBlob,
      );
      await first.dropGeneration(ONE, source.sourceId, 1);
      await first.close();
      const next = await indices.open({ sweepDelayMs: 20 });
      const other = new IndexedSource(ONE, uuidOf('other'));
      await next.applyGeneration(other.manifest(1, [other.pack([sketch('b')])]), other.readBlob);
      await until(async () => (await indices.rows()) === 1);
    });

    it('are not loaded any more when the index was lost, and come back from their packs', async () => {
      const index = await indices.open({ recordsKeptMs: 1 });
      const manifest = source.manifest(1, [source.pack([sketch('a')])]);
      await index.applyGeneration(manifest, source.readBlob);
      await indices.loseChunks();
      const query = queryOf(analyzeQuery('content'), [source.at(1)]);
      await expect(index.candidates(query)).rejects.toEqual(UNAVAILABLE);
      expect(await index.generations()).toEqual([]);
      await expect(index.candidates(query)).rejects.toEqual(UNAVAILABLE);
      expect(await index.applyGeneration(manifest, source.readBlob)).toBe(1);
      expect((await index.candidates(query)).candidates).toHaveLength(1);
    });

    it.each(['index.blocks.write', 'index.blocks.read_only_allow_delete'])(
      'wait for a block of writes (%s) to end, give up in time, and are loaded when it is gone',
      async (block) => {
        const index = await indices.open({ bulk: FAST_RETRY });
        const small = source.manifest(1, [source.pack([sketch('a')])]);
        await index.applyGeneration(small, source.readBlob);
        await indices.set(block, true);
        const large = source.manifest(2, [source.pack([sketch('a'), sketch('b')])]);
        await expect(index.applyGeneration(large, source.readBlob)).rejects.toEqual(UNAVAILABLE);
        expect(await index.generations()).toEqual([source.at(1)]);
        expect(await idsOf(index, source.at(1))).toHaveLength(1);
        const patient = await indices.open({ bulk: { retries: 50, retryDelayMs: 50 } });
        const applied = patient.applyGeneration(large, source.readBlob);
        await delay(100);
        await indices.set(block, null);
        expect(await applied).toBe(2);
        expect(await idsOf(index, source.at(2))).toHaveLength(2);
      },
    );

    // Its folder, when `test/engines/opensearch.sh` runs the server.
    describeWhen('OPENSEARCH_INSTANCE', 'on a server that can be killed', (instance) => {
      it('are whole after the server was killed and started while they were written', async () => {
        const index = await indices.open({ bulk: { maxRows: 20, ...FAST_RETRY } });
        const sketches = Array.from({ length: 600 }, (_, at) => sketch(`file${at}`));
        const manifest = source.manifest(1, [
          source.pack(sketches.slice(0, 300)),
          source.pack(sketches.slice(300)),
        ]);
        let read = 0;
        const killing = async (hash: string): Promise<Uint8Array> => {
          if (++read === 2) await controlOpenSearch('kill', instance, url);
          return source.readBlob(hash);
        };
        await expect(index.applyGeneration(manifest, killing)).rejects.toEqual(UNAVAILABLE);
        await expect(
          index.candidates(queryOf(analyzeQuery('content'), [source.at(1)])),
        ).rejects.toEqual(UNAVAILABLE);
        await controlOpenSearch('start', instance, url);
        expect(await untilTaken(() => index.applyGeneration(manifest, source.readBlob))).toBe(600);
        expect(await indices.rows()).toBe(600);
        expect(await idsOf(index, source.at(1))).toEqual(
          sketches.map((each) => source.idOf(each)).sort(),
        );
      });
    });
  });
});

function queryOf(
  query: ReturnType<typeof analyzeQuery>,
  scope: readonly LiveSource[],
): CandidateQuery {
  return {
    tenants: scope.map(({ tenantId }) => tenantId),
    scope,
    corpus: scope,
    terms: query.terms,
    vectorFor: async (model) =>
      model === HASH_NGRAM_ID && query.terms.length > 0
        ? embedTerms(query.terms, query.frequencies)
        : null,
    identifiers: query.identifiers,
    limit: 200,
  };
}

/** Tries again while the engine says so, as the loader of generations does. */
async function untilTaken<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 60 || (error as { code?: unknown }).code !== 'engine_unavailable')
        throw error;
      await delay(200);
    }
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not come true within 30 s');
    await delay(50);
  }
}
