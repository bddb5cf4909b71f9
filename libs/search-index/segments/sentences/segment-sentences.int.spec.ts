import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { quantize } from '#retrieval';
import type { SearchIndex, SentenceIndex } from '#search-index';
import { axis, type ChunkSketch, IndexedSource, uuidOf } from '#test/support/indexed-source';
import { tempDir } from '#test/support/temp-dir';

import { openSegmentIndex } from '../segment-index.js';

const tenant = uuidOf('tenant');
const other = uuidOf('other tenant');
const WORDS = ['evict', 'parse', 'render', 'connect'];
const sketches: readonly ChunkSketch[] = WORDS.map((word, at) => ({
  path: `src/${word}.ts`,
  text: `${word} the thing number ${at}`,
}));

/** Vectors along the dimension of the passage's word. */
const vectorOf = (content: string) => axis(WORDS.findIndex((word) => content.includes(word)));

describe('sentence vectors of segments', () => {
  const folder = () => ({ index: tempDir('footnote-index-'), vectors: tempDir('footnote-vec-') });
  let folders: ReturnType<typeof folder>;
  let index: SearchIndex;
  let mine: IndexedSource;
  let theirs: IndexedSource;

  const open = (encoder = 'fake-v1') =>
    openSegmentIndex({
      directory: folders.index.path,
      sentences: { directory: folders.vectors.path, encoder, dimensions: 16 },
    });
  const sentences = (): SentenceIndex => index.sentences as SentenceIndex;
  const files = (of = tenant) => readdirSync(join(folders.vectors.path, of));

  async function refine(limit = 3, batches = Infinity): Promise<number> {
    let embedded = 0;
    const live = await index.generations();
    for (let round = 0; round < batches; round += 1) {
      const batch = await sentences().next(live, limit);
      if (!batch) break;
      embedded += batch.passages.length;
      await sentences().add(
        batch,
        batch.passages.map(({ content }) => vectorOf(content)),
      );
    }
    return embedded;
  }

  const nearest = (word: string, source = mine.at(1)) =>
    sentences()
      .nearest({
        tenants: [source.tenantId],
        scope: [source],
        terms: [],
        vectorFor: () => Promise.resolve(null),
        limit: 2,
        encoder: 'fake-v1',
        vector: quantize(vectorOf(word)),
      })
      .then((found) => found.map(({ candidate }) => candidate.path));

  beforeEach(async () => {
    folders = folder();
    index = await open();
    mine = new IndexedSource(tenant, uuidOf('mine'));
    theirs = new IndexedSource(other, uuidOf('theirs'));
    for (const source of [mine, theirs])
      await index.applyGeneration(source.manifest(1, [source.pack(sketches)]), source.readBlob);
  });
  afterEach(async () => {
    await index.close();
    folders.index.remove();
    folders.vectors.remove();
  });

  it('are searched once every chunk of a generation has one', async () => {
    await refine(3, 1);
    expect(sentences().share(mine.at(1)) + sentences().share(theirs.at(1))).toBe(0.75);
    expect(await nearest('parse')).toEqual([]);
    await refine();
    expect(sentences().covers(mine.at(1))).toBe(true);
    expect(await nearest('parse')).toEqual(['src/parse.ts']);
  });

  it('never cross the border of a tenant', async () => {
    await refine();
    const crossing = sentences().nearest({
      tenants: [tenant],
      scope: [theirs.at(1)],
      terms: [],
      vectorFor: () => Promise.resolve(null),
      limit: 2,
      encoder: 'fake-v1',
      vector: quantize(vectorOf('parse')),
    });
    await expect(crossing).rejects.toThrow('tenant');
  });

  it('survive a restart, and continue where they stopped', async () => {
    expect(await refine(3, 2)).toBe(4);
    await index.close();
    index = await open();
    expect(await refine()).toBe(4);
    expect(await nearest('render')).toEqual(['src/render.ts']);
  });

  it('are computed again from the first damaged one on', async () => {
    await refine();
    await index.close();
    const file = join(folders.vectors.path, tenant, files()[0] as string);
    const bytes = readFileSync(file);
    bytes.writeInt8(5, 24 * 2 + 10);
    writeFileSync(file, bytes);
    index = await open();
    expect(sentences().covers(mine.at(1))).toBe(false);
    expect(await refine()).toBe(2);
    expect(await nearest('connect')).toEqual(['src/connect.ts']);
  });

  it('are taken over by unchanged chunks of the next generation', async () => {
    await refine();
    const next = [...sketches, { path: 'src/z.ts', text: 'connect again' }];
    await index.applyGeneration(mine.manifest(2, [mine.pack(next)]), mine.readBlob);
    expect(await refine()).toBeLessThan(next.length);
    expect(sentences().covers(mine.at(2))).toBe(true);
  });

  it('leave with the last generation that has their pack', async () => {
    await refine();
    expect(files()).toHaveLength(1);
    await index.dropGeneration(tenant, mine.sourceId, 1);
    expect(files()).toEqual([]);
    expect(files(other)).toHaveLength(1);
    expect(await nearest('parse', theirs.at(1))).toEqual(['src/parse.ts']);
  });

  it('are filtered by path before the list is cut', async () => {
    await refine();
    const blended = new Float32Array(16).fill(0.5, 0, 4);
    const found = await sentences().nearest({
      tenants: [tenant],
      scope: [mine.at(1)],
      terms: [],
      vectorFor: () => Promise.resolve(null),
      limit: 1,
      encoder: 'fake-v1',
      vector: quantize(blended),
      filter: { paths: ['src/r*.ts'], languages: [] },
    });
    expect(found.map(({ candidate }) => candidate.path)).toEqual(['src/render.ts']);
  });

  it('are not compared with the vector of another encoder', async () => {
    await refine();
    const found = await sentences().nearest({
      tenants: [tenant],
      scope: [mine.at(1)],
      terms: [],
      vectorFor: () => Promise.resolve(null),
      limit: 2,
      encoder: 'another',
      vector: quantize(vectorOf('parse')),
    });
    expect(found).toEqual([]);
  });
});
