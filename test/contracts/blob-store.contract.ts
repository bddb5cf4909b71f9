import { createHash } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type BlobStore, isBlobNotFound } from '#platform';

/**
 * The contract of every blob store. `open` returns an empty store and a function that removes it.
 */
export function blobStoreContract(
  name: string,
  open: () => Promise<{ store: BlobStore; dispose(): Promise<void> }>,
): void {
  describe(`blob store contract: ${name}`, () => {
    let store: BlobStore;
    let dispose: () => Promise<void>;

    beforeEach(async () => {
      const opened = await open();
      store = opened.store;
      dispose = () => opened.dispose();
    });
    afterEach(() => dispose());

    const bytes = (text: string) => new TextEncoder().encode(text);

    it('names a blob by the SHA-256 of its bytes and gives them back', async () => {
      const hash = await store.put(bytes('hello'));
      expect(hash).toBe(createHash('sha256').update('hello').digest('hex'));
      expect(Buffer.from(await store.get(hash)).toString()).toBe('hello');
    });

    it('takes the same bytes again, also at once, as one blob', async () => {
      const hashes = await Promise.all([
        store.put(bytes('same')),
        store.put(bytes('same')),
        store.put(bytes('same')),
      ]);
      expect(new Set(hashes).size).toBe(1);
      expect(await collect(store)).toEqual([hashes[0]]);
    });

    it('keeps empty and binary blobs byte for byte', async () => {
      const binary = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256);
      expect(new Uint8Array(await store.get(await store.put(binary)))).toEqual(binary);
      expect((await store.get(await store.put(new Uint8Array()))).length).toBe(0);
    });

    it('keeps a blob that need not be durable, and takes it again as one that must be', async () => {
      const hash = await store.put(bytes('made again'), { durable: false });
      expect(Buffer.from(await store.get(hash)).toString()).toBe('made again');
      expect(await store.put(bytes('made again'))).toBe(hash);
      expect(await store.put(bytes('made again'), { durable: false })).toBe(hash);
      expect(await collect(store)).toEqual([hash]);
    });

    it('reads the start of a blob, and all of a shorter one', async () => {
      const hash = await store.put(bytes('head and body'));
      expect(Buffer.from(await store.readStart(hash, 4)).toString()).toBe('head');
      expect(Buffer.from(await store.readStart(hash, 4_096)).toString()).toBe('head and body');
      expect(await store.readStart(await store.put(new Uint8Array()), 16)).toHaveLength(0);
    });

    it('says so when a blob is not there', async () => {
      const absent = '0'.repeat(64);
      expect(
        isBlobNotFound(await store.readStart(absent, 4).catch((error: unknown) => error)),
      ).toBe(true);
      expect(await store.has(absent)).toBe(false);
      expect(isBlobNotFound(await store.get(absent).catch((error: unknown) => error))).toBe(true);
    });

    it('refuses names that are no hashes', async () => {
      expect(
        isBlobNotFound(await store.get('../../etc/passwd').catch((error: unknown) => error)),
      ).toBe(true);
    });

    it('forgets a deleted blob, and deleting again is harmless', async () => {
      const hash = await store.put(bytes('gone'));
      await store.delete(hash);
      await store.delete(hash);
      expect(await store.has(hash)).toBe(false);
      expect(await collect(store)).toEqual([]);
    });

    it('deletes what was last written before a time, and nothing younger', async () => {
      const hash = await store.put(bytes('aging'));
      expect(await store.deleteIfOlder(hash, Date.now() - 60_000)).toBe(false);
      expect(await store.has(hash)).toBe(true);
      expect(await store.deleteIfOlder(hash, Date.now() + 60_000)).toBe(true);
      expect(await store.deleteIfOlder(hash, Date.now() + 60_000)).toBe(false);
      expect(await store.has(hash)).toBe(false);
    });

    it('counts writing the same bytes again as a write', async () => {
      const hash = await store.put(bytes('renewed'));
      const [first] = await times(store);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await store.put(bytes('renewed'));
      const [second] = await times(store);
      expect(second).toBeGreaterThan(first ?? Infinity);
      expect(await store.deleteIfOlder(hash, second ?? 0)).toBe(false);
    });

    it('has every blob that put returned, also where it was deleted at the same moment', async () => {
      for (let round = 0; round < 20; round += 1) {
        const hash = await store.put(bytes(`contested ${round}`));
        const old = Date.now() + 60_000;
        const deletions = [store.deleteIfOlder(hash, old), store.deleteIfOlder(hash, old)];
        const again = store.put(bytes(`contested ${round}`));
        await Promise.all([...deletions, again]);
        expect(Buffer.from(await store.get(await again)).toString()).toBe(`contested ${round}`);
      }
    });

    it('lists every blob with size and time of the last write', async () => {
      const before = Date.now() - 5_000;
      const hash = await store.put(bytes('listed'));
      for await (const blob of store.list()) {
        expect(blob).toMatchObject({ hash, size: 6 });
        expect(blob.modifiedAt).toBeGreaterThan(before);
      }
    });
  });
}

async function collect(store: BlobStore): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { hash } of store.list()) hashes.push(hash);
  return hashes;
}

async function times(store: BlobStore): Promise<number[]> {
  const all: number[] = [];
  for await (const { modifiedAt } of store.list()) all.push(modifiedAt);
  return all;
}
