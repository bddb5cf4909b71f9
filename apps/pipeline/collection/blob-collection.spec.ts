import { describe, expect, it } from '@jest/globals';

import { silentLogger } from '#platform';

import { BlobCollection, type BlobCollectionDependencies } from './blob-collection.js';

const MANIFEST = Buffer.from('{"format":1,"tenant_id":"t1","source_id":"s1","packs":[]}');
const BETWEEN_MS = 60_000;

/** A store with a manifest of a removed source, which has no job any more. */
function collection(state: { hasTakenIn: boolean; worksOnSource: boolean; isKnown?: boolean }) {
  const stored = new Set(['manifest']);
  let now = 0;
  const dependencies = {
    blobs: {
      async *list() {
        for (const hash of stored)
          yield await Promise.resolve({ hash, modifiedAt: 0, size: MANIFEST.length });
      },
      readStart: () => Promise.resolve(MANIFEST),
      deleteIfOlder: (hash: string) => Promise.resolve(stored.delete(hash)),
    },
    clock: { now: () => new Date(now + 1), monotonic: () => now },
    logger: silentLogger,
    config: { jobs: { stageTimeoutSeconds: 600 } },
    identity: { confirm: () => Promise.resolve() },
    ledger: {
      releasedUploads: new Set(),
      collectableUploads: () => new Set(),
      sources: new Map(),
      jobs: new Map(),
      lastIndexed: null,
      hasJobOf: () => false,
    },
    runs: { oldestStart: null, worksOnSource: () => state.worksOnSource },
    indexed: { hasTakenIn: () => Promise.resolve(state.hasTakenIn) },
    neededBlobs: () => [],
    knowsSource: () => Promise.resolve(state.isKnown ?? true),
    foreignAttemptMs: 0,
    requestWaitsMs: 0,
    mayCollect: () => true,
  } as unknown as BlobCollectionDependencies;
  const collected = new BlobCollection(dependencies);
  const look = async (afterMs: number) => {
    now += afterMs;
    await collected.run();
    return [...stored];
  };
  return { collected, look };
}

describe('a requested collection', () => {
  it.each([
    ['the index drops its generation', { hasTakenIn: false }],
    ['its last attempt ends', { worksOnSource: true }],
  ])(
    'keeps content of a removed source until %s, and removes it in a round that it requests itself',
    async (_, held) => {
      const state = { hasTakenIn: true, worksOnSource: false, ...held };
      const { collected, look } = collection(state);
      collected.request();
      expect(await look(0)).toEqual(['manifest']);
      Object.assign(state, { hasTakenIn: true, worksOnSource: false });
      expect(await look(BETWEEN_MS)).toEqual([]);
    },
  );

  it('keeps content of a source that this log never had for a day', async () => {
    const { collected, look } = collection({
      hasTakenIn: true,
      worksOnSource: false,
      isKnown: false,
    });
    collected.request();
    expect(await look(0)).toEqual(['manifest']);
    collected.request();
    expect(await look(2 * 86_400_000)).toEqual([]);
  });

  it('follows the removal of a SCIP index', async () => {
    const { collected, look } = collection({ hasTakenIn: true, worksOnSource: false });
    expect(await look(0)).toEqual(['manifest']);
    expect(collected.liveEventTypes).toEqual(['SourceScipRemoved']);
    collected.apply();
    expect(await look(0)).toEqual([]);
  });

  it('is not repeated when nothing was kept', async () => {
    const { collected, look } = collection({ hasTakenIn: true, worksOnSource: false });
    expect(await look(BETWEEN_MS)).toEqual(['manifest']);
    collected.request();
    expect(await look(0)).toEqual([]);
  });
});
