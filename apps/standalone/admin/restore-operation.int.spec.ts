import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { openEngines } from '#engines';
import { loadConfig, LOG_ID_FILE, silentLogger } from '#platform';
import { proposed } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

import { backUp, type BackupNote } from './backup-operation.js';
import { restore } from './restore-operation.js';

describe('a backup and the archive of its keys', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const at = (name: string) => `${folder.path}/${name}`;
  const open = (name: string) =>
    openEngines(loadConfig({ DATA_DIR: at(name) }, '/'), silentLogger, [
      'eventStore',
      'blobs',
      'keyRing',
    ]);

  /** Makes a service with a blob and a key, and a backup of it. */
  async function serviceWithBackup(name: string): Promise<BackupNote> {
    const engines = await open(name);
    const { embeddedLog, identity, blobs, keyRing, folders } = engines;
    try {
      await blobs.put(Buffer.from(name));
      await keyRing.seal('tenant', 'place', name);
      return await backUp(at(`${name}-backup`), {
        copyLog: async (to) => (await embeddedLog?.copyTo(to)) ?? null,
        logId: () => identity.logId(),
        blobs,
        keys: folders.keys,
        pauseCollection: (work) => work(),
        now: () => new Date(),
      });
    } finally {
      await engines.close();
    }
  }

  it('keep the identity of the log, and restore it', async () => {
    const { log_id: log } = await serviceWithBackup('one');
    await restore(at('one-backup'), at('restored'));
    const engines = await open('restored');
    const standing = await engines.identity.standing();
    expect(standing).toMatchObject({ log, stores: [{ state: 'same' }, { state: 'same' }] });
    await engines.close();
  });

  it('are refused together when they are of two services, before anything is written', async () => {
    const one = await serviceWithBackup('one');
    const other = await serviceWithBackup('other');
    copyFileSync(at('other-backup/key-ring.json'), at('one-backup/key-ring.json'));
    await expect(restore(at('one-backup'), at('restored'))).rejects.toThrow(
      `belongs to log ${other.log_id}, but the backup is of log ${one.log_id}`,
    );
    expect(existsSync(at('restored/log'))).toBe(false);
  });

  it('restore no key that is destroyed according to the log', async () => {
    await serviceWithBackup('one');
    const engines = await open('one');
    const by = { tenant_id: 'tenant' };
    const counts = { sources: 0, jobs: 0, people: 0, generations: 0, blobs: 0, blob_bytes: 0 };
    const erased = proposed({ type: 'TenantErased', data: { ...by, ...counts } }, by);
    await engines.eventStore.append('tenant-tenant', [erased], 'none');
    // The log from after the erasure with the keys from before it.
    rmSync(at('one-backup/log'), { recursive: true });
    await engines.embeddedLog?.copyTo(at('one-backup/log'));
    await engines.close();
    await restore(at('one-backup'), at('restored'));
    const restored = await open('restored');
    expect(await restored.keyRing.standing('tenant')).toBe('destroyed');
    await expect(restored.keyRing.seal('tenant', 'place', 'again')).rejects.toThrow('destroyed');
    await restored.close();
  });

  it('of an older version are restored as they always were', async () => {
    await serviceWithBackup('one');
    leaveOut(at('one-backup/key-ring.json'), LOG_ID_FILE);
    leaveOut(at('one-backup/backup.json'), 'log_id');
    await restore(at('one-backup'), at('restored'));
    const engines = await open('restored');
    expect((await engines.identity.standing()).stores.map(({ state }) => state)).toEqual([
      'same',
      'same',
    ]);
    await engines.close();
  });
});

/** Takes a field out of a JSON file, as versions wrote it that did not know the field. */
function leaveOut(file: string, field: string): void {
  const entries = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
  writeFileSync(
    file,
    JSON.stringify(Object.fromEntries(entries.filter(([name]) => name !== field))),
  );
}
