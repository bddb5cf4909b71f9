import { describe, expect, it } from '@jest/globals';

import { analyzeQuery, embedTerms, HASH_NGRAM_ID } from '#retrieval';
import type { Candidate, FileChunksQuery, LiveSource } from '#search-index';

import { type ChunkSketch, IndexedSource, uuidOf } from '../../support/indexed-source.js';
import { CACHE, type IndexContext, ONE, RETRY, SOCKET, TWO } from './index-context.js';

const PATH = 'src/pool.ts';
const PIECES = ['open socket and wait', 'evict oldest entry', 'nothing of it'].map(
  (text, ordinal): ChunkSketch => ({ path: PATH, text, ordinal }),
) as [ChunkSketch, ChunkSketch, ChunkSketch];

/** All chunks of files, with the values of a query. */
export function fileChunksContract(context: IndexContext): void {
  const read = (
    text: string,
    files: readonly (readonly [LiveSource, string])[],
    changes: Partial<FileChunksQuery> = {},
  ): Promise<readonly Candidate[]> => {
    const { terms, frequencies } = analyzeQuery(text);
    return context.index.fileChunks({
      tenants: files.map(([{ tenantId }]) => tenantId),
      files: files.map(([source, path]) => ({ source, path })),
      terms,
      vectorFor: async (model) => (model === HASH_NGRAM_ID ? embedTerms(terms, frequencies) : null),
      limit: 10,
      ...changes,
    });
  };

  describe('chunks of files', () => {
    it('include chunks that no retriever finds, with the values of candidates', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, ...PIECES, CACHE, RETRY);
      const { candidates } = await context.search('evict socket', [live]);
      const all = await read('evict socket', [
        [live, PATH],
        [live, CACHE.path],
      ]);
      expect(idsOf(all)).toEqual([...PIECES, CACHE].map((piece) => source.idOf(piece)).sort());
      const byId = new Map(all.map((chunk) => [chunk.chunkId, valuesOf(chunk)]));
      const found = candidates.filter(({ path }) => path !== RETRY.path);
      expect(found.length).toBeGreaterThan(2);
      expect(found.map((chunk) => byId.get(chunk.chunkId))).toEqual(found.map(valuesOf));
      const silent = await read('evict', [[live, PATH]], { vectorFor: async () => null });
      expect(idsOf(silent)).toHaveLength(3);
      expect(silent.map(({ cosine, cosineModel }) => [cosine, cosineModel])).toEqual(
        silent.map(() => [0, undefined]),
      );
    });

    it('come from every pack without dropped ones, and end at the limit of a file', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const [first, second, third] = PIECES;
      const gone = { path: PATH, text: 'gone since', ordinal: 1 };
      const packs = [source.pack([third, gone, SOCKET], [PATH]), source.pack([second, first])];
      await context.index.applyGeneration(source.manifest(1, packs), source.readBlob);
      const live = source.at(1);
      const files = [[live, PATH] as const];
      expect(idsOf(await read('evict', files))).toEqual(
        [first, second].map((piece) => source.idOf(piece)).sort(),
      );
      expect(idsOf(await read('evict', files, { limit: 1 }))).toEqual([source.idOf(first)]);
      expect(await read('evict', [[live, 'missing.ts']])).toEqual([]);
    });

    it('are of the named tenants and generations alone', async () => {
      const [one, two] = [ONE, TWO].map((tenant) => new IndexedSource(tenant, uuidOf('s'))) as [
        IndexedSource,
        IndexedSource,
      ];
      const [live, other] = [
        await context.apply(one, 1, PIECES[0]),
        await context.apply(two, 1, PIECES[0]),
      ];
      expect(idsOf(await read('socket', [[live, PATH]]))).toEqual([one.idOf(PIECES[0])]);
      await expect(read('socket', [[other, PATH]], { tenants: [ONE] })).rejects.toThrow(
        'that it may not see',
      );
      await expect(read('socket', [[live, PATH]], { tenants: [] })).rejects.toThrow('name the');
      await expect(read('socket', [[one.at(2), PATH]])).rejects.toMatchObject({
        code: 'engine_unavailable',
      });
    });
  });
}

function idsOf(chunks: readonly Candidate[]): string[] {
  return chunks.map(({ chunkId }) => chunkId);
}

function valuesOf(chunk: Candidate) {
  return {
    path: chunk.path,
    generation: chunk.generation,
    contentHash: chunk.contentHash,
    startLine: chunk.startLine,
    length: chunk.length,
    frequencies: Array.from(chunk.termFrequencies),
    cosine: chunk.cosine.toFixed(6),
    cosineModel: chunk.cosineModel,
  };
}
