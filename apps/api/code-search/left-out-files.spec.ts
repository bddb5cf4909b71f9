import { setImmediate } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import type { ManifestDocument } from '#contracts';
import { silentLogger } from '#platform';
import type { GenerationView } from '#read-model';

import { ManifestLeftOutFiles } from './left-out-files.js';

const sources = (count: number, tenantId = 'first') =>
  Array.from({ length: count }, (_, at) => ({ tenantId, sourceId: `${at}`, generation: 1 }));

/** Counts of manifests that each have one binary file, and one more in those of `second`. */
function countingManifests(fail: (sourceId: string) => void = () => undefined) {
  const read: string[] = [];
  const files = new ManifestLeftOutFiles(
    {
      kept: (tenantId, sourceId) => {
        read.push(sourceId);
        fail(sourceId);
        return Promise.resolve({ tenant_id: tenantId } as GenerationView);
      },
      documents: ({ tenant_id: tenantId }) => {
        const skipped = Array.from({ length: tenantId === 'second' ? 2 : 1 }, () => 'binary');
        return Promise.resolve(skipped.map((reason) => ({ skipped: reason }) as ManifestDocument));
      },
    },
    silentLogger,
  );
  return { files, read };
}

/** Waits for work in the background, which pauses now and then. */
async function pauses(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await setImmediate();
}

describe('ManifestLeftOutFiles', () => {
  it('waits for the counts of up to 20 sources, and reads each manifest once', async () => {
    const { files, read } = countingManifests();
    expect((await files.of(sources(20))).get('19')).toEqual({ binary: 1 });
    expect((await files.of(sources(20))).size).toBe(20);
    expect(read).toHaveLength(20);
  });

  it('answers without the counts of more sources, and has them later', async () => {
    const { files, read } = countingManifests();
    await files.of(sources(3));
    expect([...(await files.of(sources(2_000))).keys()]).toEqual(['0', '1', '2']);
    await files.of(sources(2_000));
    await pauses();
    expect((await files.of(sources(2_000))).size).toBe(2_000);
    expect(read).toHaveLength(2_000);
  });

  it('keeps the counts of tenants apart', async () => {
    const { files } = countingManifests();
    const [first, second] = [await files.of(sources(1)), await files.of(sources(1, 'second'))];
    expect([first.get('0'), second.get('0')]).toEqual([{ binary: 1 }, { binary: 2 }]);
  });

  it('continues with the next search after a failure', async () => {
    let isDown = true;
    const { files } = countingManifests((sourceId) => {
      if (isDown && sourceId === '9') throw new Error('the read model is down');
    });
    await files.of(sources(30));
    await pauses();
    isDown = false;
    expect((await files.of(sources(30))).size).toBe(9);
    await pauses();
    expect((await files.of(sources(30))).size).toBe(30);
  });

  it('stops reading at shutdown', async () => {
    const { files, read } = countingManifests();
    const answer = files.of(sources(2_000));
    files.onApplicationShutdown();
    await answer;
    await pauses();
    expect(read.length).toBeLessThan(3);
  });
});
