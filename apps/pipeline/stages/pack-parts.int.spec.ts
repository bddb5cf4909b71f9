import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { SourceChunk } from '#contracts';
import { ANALYZER_ID, HASH_NGRAM_ID, WORD_HASHING } from '#retrieval';
import { analyzeChunks, buildPack, decodePart, encodePart } from '#search-index';
import { IndexedSource, uuidOf } from '#test/support/indexed-source';

import { type StageTaskName, type StageTasks } from '../thread-pool/stage-tasks.js';
import { type TaskOwner, ThreadPool } from '../thread-pool/thread-pool.js';
import { packParts } from './pack-parts.js';

const grammarsDirectory = fileURLToPath(new URL('../../../grammars', import.meta.url));
const source = new IndexedSource(uuidOf('tenant'), uuidOf('source'));
const META = {
  tenant_id: source.tenantId,
  source_id: source.sourceId,
  analyzer: ANALYZER_ID,
  embedder: { id: HASH_NGRAM_ID, dimensions: 512 },
};
const LARGE = 16_000;

/** Documents of several chunks, in no order, with texts of several scripts; one part is empty. */
function encodedParts(): ReadonlyMap<string, Uint8Array> {
  const chunks = Array.from({ length: 300 }, (_, i): SourceChunk => {
    const path = ['src/b.ts', 'a.md', 'ö/ü.txt', '\u{1f600}.py', '\uff21.java'][i % 5] as string;
    const text = `shared word${i % 7} Größe${i} 数据${i % 3}\n${'long line '.repeat(i % 90)}`;
    return source.chunk({ path, ordinal: Math.floor(i / 5), text });
  });
  const slices = [chunks.slice(200), [], chunks.slice(0, 9), chunks.slice(9, 200)];
  return new Map(
    slices.map((slice, at) => [`part ${at}`, encodePart(analyzeChunks(slice, WORD_HASHING))]),
  );
}

/** A pool that records its tasks, and may replace the one of the trigrams. */
class RecordingPool extends ThreadPool {
  readonly tasks: StageTaskName[] = [];
  trigrams: 'computed' | 'failing' | 'never' = 'computed';

  override async run<Name extends StageTaskName>(
    name: Name,
    input: StageTasks[Name]['input'],
    owner: TaskOwner,
  ): Promise<StageTasks[Name]['output']> {
    this.tasks.push(name);
    if (name === 'trigrams' && this.trigrams === 'failing') throw new Error('The thread died');
    if (name === 'trigrams' && this.trigrams === 'never') return new Promise(() => undefined);
    return super.run(name, input, owner);
  }
}

describe('the pack of parts', () => {
  const parts = encodedParts();
  const expected = buildPack([...parts.values()].map(decodePart), META).bytes;
  let pool: RecordingPool;
  beforeEach(() => {
    pool = new RecordingPool({ size: 2, grammarsDirectory });
  });
  afterEach(() => pool.close());

  function packed(chunks: number, names = [...parts.keys()], signal = AbortSignal.timeout(60_000)) {
    const get = (name: string) => Promise.resolve(Uint8Array.from(parts.get(name) ?? []));
    const store = { get } as Parameters<typeof packParts>[0]['parts'];
    const context = { pool, parts: store, tenantId: source.tenantId, signal };
    return packParts(context, { parts: names, chunks }, { meta: META, base: [], merge: false });
  }
  const sameBytes = (bytes: Uint8Array | undefined) =>
    Buffer.compare(bytes ?? Buffer.of(), expected);

  it('has the same bytes in two threads as in one', async () => {
    const { pack, changes } = await packed(LARGE);
    expect(sameBytes(pack?.bytes)).toBe(0);
    expect(changes.chunks_created).toBe(300);
    expect(pool.tasks).toEqual(['pack', 'trigrams']);
  });

  it('of few chunks is built in one thread', async () => {
    expect(sameBytes((await packed(LARGE - 1)).pack?.bytes)).toBe(0);
    expect(pool.tasks).toEqual(['pack']);
  });

  it('is built in one thread if no other one is idle', async () => {
    const owner = { tenantId: 't2', signal: AbortSignal.timeout(60_000) };
    const copies = Array.from(parts.values(), (bytes) => Uint8Array.from(bytes));
    const other = pool.run('trigrams', { parts: copies }, owner);
    expect(sameBytes((await packed(LARGE)).pack?.bytes)).toBe(0);
    await other;
    expect(pool.tasks).toEqual(['trigrams', 'pack']);
  });

  it('has the same bytes if the second thread fails', async () => {
    pool.trigrams = 'failing';
    expect(sameBytes((await packed(LARGE)).pack?.bytes)).toBe(0);
    expect(pool.tasks).toEqual(['pack', 'trigrams']);
  });

  it('is null without a chunk', async () => {
    expect((await packed(LARGE, ['part 1'])).pack).toBeNull();
  });

  it('of one part has its chunks', async () => {
    const { pack } = await packed(LARGE, ['part 2']);
    const alone = buildPack([decodePart(parts.get('part 2') as Uint8Array)], META);
    expect(Buffer.compare(pack?.bytes ?? Buffer.of(), alone.bytes)).toBe(0);
  });

  it('ends at once when aborted, and its thread is used again', async () => {
    pool.trigrams = 'never';
    const controller = new AbortController();
    const work = packed(LARGE, [...parts.keys()], controller.signal);
    setImmediate(() => controller.abort(new Error('cancelled')));
    await expect(work).rejects.toThrow('cancelled');
    pool.trigrams = 'computed';
    expect(sameBytes((await packed(LARGE)).pack?.bytes)).toBe(0);
  });
});
