import { statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FsKeyRing } from '#platform';
import { keyRingContract } from '#test/contracts/key-ring.contract';
import { tempDir } from '#test/support/temp-dir';

keyRingContract('files', async () => {
  const folder = tempDir();
  return {
    ring: await FsKeyRing.open(folder.path),
    reopen: () => FsKeyRing.open(folder.path),
    dispose: async () => folder.remove(),
  };
});

describe('FsKeyRing', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  it('keeps its own master key readable by the owner alone', async () => {
    await FsKeyRing.open(folder.path);
    expect(statSync(join(folder.path, 'master.key')).mode & 0o077).toBe(0);
  });

  it('refuses another master key than the one it was made with', async () => {
    await FsKeyRing.open(folder.path, new Uint8Array(32).fill(1));
    await expect(FsKeyRing.open(folder.path, new Uint8Array(32).fill(2))).rejects.toThrow('MASTER_KEY is not the key');
  });

  it('makes one key when a tenant is sealed for twice at once', async () => {
    const ring = await FsKeyRing.open(folder.path);
    const [one, two] = await Promise.all([ring.seal('t', 'c', 'one'), ring.seal('t', 'c', 'two')]);
    const later = await FsKeyRing.open(folder.path);
    expect([await later.open('t', 'c', one), await later.open('t', 'c', two)]).toEqual(['one', 'two']);
  });
});
