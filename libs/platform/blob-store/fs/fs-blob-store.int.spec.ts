import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { FsBlobStore } from '#platform';
import { blobStoreContract } from '#test/contracts/blob-store.contract';
import { tempDir } from '#test/support/temp-dir';

blobStoreContract('files', async () => {
  const folder = tempDir();
  return { store: await FsBlobStore.open(folder.path), dispose: async () => folder.remove() };
});

describe('FsBlobStore', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  it('detects bytes that changed on disk', async () => {
    const store = await FsBlobStore.open(folder.path);
    const hash = await store.put(new TextEncoder().encode('original'));
    writeFileSync(join(folder.path, hash.slice(0, 2), hash), 'tampered');
    await expect(store.get(hash)).rejects.toThrow('does not match its name');
  });

  it('rewrites a damaged blob when the same bytes are put again', async () => {
    const store = await FsBlobStore.open(folder.path);
    const bytes = new TextEncoder().encode('original');
    const hash = await store.put(bytes);
    writeFileSync(join(folder.path, hash.slice(0, 2), hash), '');
    expect(await store.put(bytes)).toBe(hash);
    expect(Buffer.from(await store.get(hash)).toString()).toBe('original');
  });

  it('stores blobs again after its folder was lost', async () => {
    const store = await FsBlobStore.open(folder.path);
    const bytes = new TextEncoder().encode('original');
    const hash = await store.put(bytes);
    rmSync(folder.path, { recursive: true });
    expect(await store.has(hash)).toBe(false);
    await store.put(bytes);
    expect(await store.has(hash)).toBe(true);
  });

  it('waits for the disk only where a blob must be durable, whoever wrote it before', async () => {
    const store = await FsBlobStore.open(folder.path);
    // The folder of the blob is created, and made durable, with its first file.
    const bytes = new TextEncoder().encode('made again');
    await store.delete(await store.put(bytes));
    const file = await open(folder.path);
    const sync = jest.spyOn(Object.getPrototypeOf(file) as typeof file, 'sync');
    await file.close();
    try {
      await store.put(bytes, { durable: false });
      expect(sync).toHaveBeenCalledTimes(0);
      await store.put(bytes);
      expect(sync).toHaveBeenCalledTimes(2);
      await store.put(new TextEncoder().encode('durable'));
      expect(sync.mock.calls.length).toBeGreaterThanOrEqual(4);
    } finally {
      sync.mockRestore();
    }
  });

  it('removes drafts of a killed writer', async () => {
    await FsBlobStore.open(folder.path);
    writeFileSync(join(folder.path, 'tmp', 'draft'), 'half');
    await FsBlobStore.open(folder.path);
    expect(readdirSync(join(folder.path, 'tmp'))).toEqual([]);
  });

  it('renews the time of a blob that is written again, so that a collection keeps it', async () => {
    const store = await FsBlobStore.open(folder.path);
    const hash = await store.put(new TextEncoder().encode('old'));
    utimesSync(join(folder.path, hash.slice(0, 2), hash), 1, 1);
    await store.put(new TextEncoder().encode('old'));
    for await (const blob of store.list())
      expect(blob.modifiedAt).toBeGreaterThan(Date.now() - 60_000);
  });
});
