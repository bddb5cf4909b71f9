import {
  cpSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FsKeyRing, type Sealed } from '#platform';
import { DISK_FILES, type KeyFiles } from '#platform/key-ring/fs/key-files';
import { encrypt, masterKeyFingerprint } from '#platform/key-ring/sealing';
import { keyRingContract } from '#test/contracts/key-ring.contract';
import { tempDir } from '#test/support/temp-dir';

keyRingContract('files', async () => {
  const folder = tempDir();
  return {
    ring: await FsKeyRing.open(folder.path),
    reopen: () => FsKeyRing.open(folder.path),
    lose: async () => {
      const lost = tempDir();
      cpSync(folder.path, lost.path, { recursive: true });
      rmSync(folder.path, { recursive: true });
      return async () => {
        cpSync(lost.path, folder.path, { recursive: true });
        lost.remove();
      };
    },
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
    const ring = await FsKeyRing.open(folder.path);
    await Promise.all([ring.seal('t', 'c', 'one'), ring.seal('u', 'c', 'two')]);
    const masters = readdirSync(folder.path).filter((name) => /^master.*key$/.test(name));
    expect(masters).toHaveLength(1);
    expect(statSync(join(folder.path, masters[0] ?? '')).mode & 0o077).toBe(0);
  });

  it('writes nothing before it is bound or seals, so that a failed start changes nothing', async () => {
    rmSync(folder.path, { recursive: true });
    const ring = await FsKeyRing.open(folder.path);
    expect([await ring.logBinding.boundTo(), await ring.logBinding.isEmpty()]).toEqual([
      null,
      true,
    ]);
    expect(await ring.open('t', 'c', 'c2VhbGVk' as Sealed)).toBeNull();
    expect(existsSync(folder.path)).toBe(false);
  });

  it('answers storage_full while the disk is full, and wraps nothing with an unwritten master key', async () => {
    let full: 'master' | 'tenant' | null = 'master';
    const refuse = (path: string) => {
      const kind = /master-[0-9a-f]+\.key/.test(path) ? 'master' : 'tenant';
      if (kind === full)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
          code: 'ENOSPC',
        });
    };
    const files: KeyFiles = {
      writeNewFile: async (path, bytes, mode) => (
        refuse(path),
        DISK_FILES.writeNewFile(path, bytes, mode)
      ),
      replaceFile: async (path, bytes, options) => (
        refuse(path),
        DISK_FILES.replaceFile(path, bytes, options)
      ),
    };
    const ring = await FsKeyRing.open(folder.path, undefined, files);
    const noRoom = { code: 'storage_full', message: 'The key ring has no room left' };
    for (const each of ['master', 'tenant'] as const) {
      full = each;
      await expect(ring.seal('t', 'c', 'one')).rejects.toMatchObject(noRoom);
      await expect(ring.seal('t', 'c', 'one')).rejects.toMatchObject(noRoom);
    }
    full = null;
    const sealed = await ring.seal('t', 'c', 'one');
    expect(await (await FsKeyRing.open(folder.path)).open('t', 'c', sealed)).toBe('one');
  });

  it('reports what to restore if only the master key is missing', async () => {
    await (await FsKeyRing.open(folder.path)).seal('t', 'c', 'one');
    const names = readdirSync(folder.path);
    const master = names.find((name) => /^master.*key$/.test(name)) ?? '';
    renameSync(join(folder.path, master), `${folder.path}.moved`);
    await expect(FsKeyRing.open(folder.path)).rejects.toThrow(
      'put master*.key back into its folder',
    );
    for (const name of names.filter((each) => each.endsWith('.sha256')))
      rmSync(join(folder.path, name));
    await expect(FsKeyRing.open(folder.path)).rejects.toThrow(
      'put master*.key back into its folder',
    );
    renameSync(`${folder.path}.moved`, join(folder.path, master));
    await FsKeyRing.open(folder.path);
  });

  it('continues a ring that was created before keys had ids', async () => {
    const [master, key] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    writeFileSync(join(folder.path, 'master.key'), master);
    writeFileSync(join(folder.path, 'master.sha256'), masterKeyFingerprint(master));
    writeFileSync(join(folder.path, 't.key'), encrypt(master, 't', key));
    const ring = await FsKeyRing.open(folder.path);
    const old = encrypt(key, 'c', Buffer.from('old')).toString('base64') as Sealed;
    expect(await ring.open('t', 'c', old)).toBe('old');
    expect(await ring.open('t', 'c', await ring.seal('t', 'c', 'new'))).toBe('new');
    await ring.destroy('t');
    expect(await (await FsKeyRing.open(folder.path)).open('t', 'c', old)).toBeNull();
  });

  it('rejects another master key than its own', async () => {
    await (await FsKeyRing.open(folder.path, new Uint8Array(32).fill(1))).seal('t', 'c', 'text');
    await expect(FsKeyRing.open(folder.path, new Uint8Array(32).fill(2))).rejects.toThrow(
      'MASTER_KEY is not the key',
    );
  });

  it('creates one key for two concurrent first seals of a tenant', async () => {
    const ring = await FsKeyRing.open(folder.path);
    const [one, two] = await Promise.all([ring.seal('t', 'c', 'one'), ring.seal('t', 'c', 'two')]);
    const later = await FsKeyRing.open(folder.path);
    expect([await later.open('t', 'c', one), await later.open('t', 'c', two)]).toEqual([
      'one',
      'two',
    ]);
  });
});
