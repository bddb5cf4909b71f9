import { rm, utimes } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { StageFailure } from '#contracts';
import { LOG_ID_FILE, type LogId, systemClock } from '#platform';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';
import { removeScipTables, scipTable, uploadScipTable } from '#test/support/scip-table';

import { removeSource } from '../erasure/remove-source.js';
import { collectBlobs } from './collect-blobs.js';

const LATER = Date.now() + 48 * 3_600_000;

describe('collection of blobs', () => {
  let harness: PipelineHarness;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
  });
  afterEach(() => harness.close());

  const names = async () => {
    const all: string[] = [];
    for await (const { hash } of harness.blobs.list()) all.push(hash);
    return all;
  };

  it('keeps what is marked and what is young', async () => {
    const [kept, gone] = await Promise.all([
      harness.blobs.put(Buffer.from('kept')),
      harness.blobs.put(Buffer.from('gone')),
    ]);
    const options = { blobs: harness.blobs, marked: new Set([kept]), mayContinue: () => true };
    expect(await collectBlobs({ ...options, before: Date.now() - 60_000 })).toEqual({
      removed: 0,
      bytes: 0,
    });
    expect(await collectBlobs({ ...options, before: LATER })).toEqual({ removed: 1, bytes: 4 });
    expect(await harness.blobs.has(gone)).toBe(false);
  });

  it('stops when it is aborted', async () => {
    await harness.blobs.put(Buffer.from('gone'));
    const options = {
      blobs: harness.blobs,
      marked: new Set<string>(),
      before: LATER,
      mayContinue: () => false,
    };
    expect(await collectBlobs(options)).toEqual({ removed: 0, bytes: 0 });
  });

  it('removes nothing in a round in which log and content are not sure to belong together', async () => {
    const gone = await harness.blobs.put(Buffer.from('gone'));
    await harness.start({ now: () => new Date(LATER) });
    const collect = () => harness.pipeline?.collect();
    const { log } = await harness.identity.standing();
    if (log === null) throw new Error('the log has no identity');
    await harness.until(
      async () => (harness.pipeline?.health().leads ? true : null),
      'the pipeline',
    );
    await harness.blobs.logBinding.bind('0190b5e4-7b1d-5000-8000-00000000000b' as LogId);
    expect([await collect(), await harness.blobs.has(gone)]).toEqual([
      { removed: 0, bytes: 0 },
      true,
    ]);
    await rm(`${harness.directory.path}/blobs/${LOG_ID_FILE}`);
    expect([await collect(), await harness.blobs.has(gone)]).toEqual([
      { removed: 0, bytes: 0 },
      true,
    ]);
    await harness.blobs.logBinding.bind(log);
    expect([await collect(), await harness.blobs.has(gone)]).toEqual([
      { removed: 1, bytes: 4 },
      false,
    ]);
  });

  it('has nothing to take after a completed sync: its stages deleted what they read', async () => {
    const repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'a.ts': 'export const a = 1;\n',
    });
    await harness.start({ now: () => new Date(LATER) });
    const source = await harness.registerSource('t1', repository.url);
    const job = await harness.sync('t1', source);
    if (job.status !== 'completed') throw new Error('the sync failed');
    await harness.until(
      async () => ((await names()).length === 2 ? true : null),
      'the parts to go',
    );
    expect(await harness.pipeline?.collect()).toEqual({ removed: 0, bytes: 0 });
    expect(await harness.index.chunksOf(job.published.manifest)).toHaveLength(1);
  });

  it('takes nothing while a manifest is missing that would list what is needed', async () => {
    const repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'a.ts': 'export const a = 1;\n',
    });
    const pipeline = await harness.start({ now: () => new Date(LATER) });
    const source = await harness.registerSource('t1', repository.url);
    const job = await harness.sync('t1', source);
    if (job.status !== 'completed') throw new Error('the sync failed');
    const manifest = await harness.blobs.get(job.published.manifest);
    await harness.blobs.put(Buffer.from('gone'));
    await harness.blobs.delete(job.published.manifest);
    const before = await names();
    await expect(pipeline.collect()).rejects.toThrow(
      `while the manifest ${job.published.manifest} is missing`,
    );
    expect(await names()).toEqual(before);
    await harness.blobs.put(manifest);
    expect((await pipeline.collect()).removed).toBeGreaterThan(0);
    expect(await harness.index.chunksOf(job.published.manifest)).toHaveLength(1);
  });

  it('continues while a stage runs, and keeps what the stage wrote or found, however long it takes', async () => {
    const day = 24 * 3_600_000;
    const old = async (text: string) => {
      const hash = await harness.blobs.put(Buffer.from(text));
      const then = new Date(Date.now() - 2 * day);
      await utimes(`${harness.directory.path}/blobs/${hash.slice(0, 2)}/${hash}`, then, then);
      return hash;
    };
    const [unused, found] = [await old('unused'), await old('found')];
    const wrote = Promise.withResolvers<readonly string[]>();
    const collected = Promise.withResolvers<void>();
    let now = Date.now() - 1_000;
    const pipeline = await harness.start({
      now: () => new Date(now),
      stages: {
        fetch: async ({ blobs }) => {
          wrote.resolve([
            await blobs.put(Buffer.from('found')),
            await blobs.put(Buffer.from('written')),
          ]);
          await collected.promise;
          throw new StageFailure('The test is over', false);
        },
      },
    });
    const source = await harness.registerSource('t1', 'file:///nowhere');
    const job = await harness.requestSync('t1', source);
    const [again, written] = await wrote.promise;
    expect(again).toBe(found);
    now = Date.now() + 3 * day;
    expect(await pipeline.collect()).toEqual({ removed: 1, bytes: 6 });
    expect(await names()).toEqual([found, written].sort());
    expect(await harness.blobs.has(unused)).toBe(false);
    collected.resolve();
    expect((await harness.ended(job)).status).toBe('failed');
  });

  it('keeps the newest two tables of a SCIP index, and none that no event names', async () => {
    const pipeline = await harness.start({ now: () => new Date(LATER) });
    await harness.until(async () => (pipeline.health().leads ? true : null), 'the pipeline');
    const source = await harness.registerSource('t1', 'file:///nowhere');
    const upload = (symbol: string) => uploadScipTable(harness, 't1', source, symbol);
    const [first, second, third] = [await upload('a#'), await upload('b#'), await upload('c#')];
    const unnamed = await harness.blobs.put(await scipTable('t1', source, 'd#'));
    const has = () =>
      Promise.all([first, second, third, unnamed].map((blob) => harness.blobs.has(blob)));
    await harness.until(async () => {
      await pipeline.collect();
      return (await has()).includes(false) ? true : null;
    }, 'the first round after the uploads');
    expect(await has()).toEqual([false, true, true, false]);
    const cause = { tenantId: 't1', correlationId: 'c', causationId: 'c' };
    await removeSource({ store: harness.store, clock: systemClock }, source, cause);
    await harness.until(async () => {
      await pipeline.collect();
      return (await has()).includes(true) ? null : true;
    }, 'the tables to go');
  });

  it('removes the tables of a removed SCIP index, and keeps those of others', async () => {
    const [mine, theirs] = [
      await harness.registerSource('t1', 'file:///nowhere'),
      await harness.registerSource('t2', 'file:///nowhere'),
    ];
    const [earlier, newest, other] = [
      await uploadScipTable(harness, 't1', mine, 'a#'),
      await uploadScipTable(harness, 't1', mine, 'b#'),
      await uploadScipTable(harness, 't2', theirs, 'a#'),
    ];
    // All uploads are history for it: at this clock it would take what no event names yet.
    const pipeline = await harness.start({ now: () => new Date(LATER) });
    await harness.until(async () => {
      const { leads, position } = pipeline.health();
      return leads && position === (await harness.store.head()) ? true : null;
    }, 'the pipeline');
    const has = () => Promise.all([earlier, newest, other].map((blob) => harness.blobs.has(blob)));
    await removeScipTables(harness, 't1', mine);
    await harness.until(async () => {
      await pipeline.collect();
      return (await has()).includes(false) ? true : null;
    }, 'the first round after the removal');
    expect(await has()).toEqual([false, false, true]);
  });

  it('takes nothing while a backup is made', async () => {
    await harness.blobs.put(Buffer.from('gone'));
    const pipeline = await harness.start({ now: () => new Date(LATER) });
    await harness.until(async () => (pipeline.health().leads ? true : null), 'the pipeline');
    const paused = await pipeline.pauseCollection(() => pipeline.collect());
    expect(paused).toEqual({ removed: 0, bytes: 0 });
    expect(await pipeline.collect()).toEqual({ removed: 1, bytes: 4 });
  });
});
