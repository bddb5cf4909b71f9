import { describe, expect, it } from '@jest/globals';

import { isFootnoteError } from '#contracts';

import { IndexedSource, uuidOf } from '../../support/indexed-source.js';
import { CACHE, found, type IndexContext, NO_VECTOR, ONE, RETRY, SOCKET } from './index-context.js';

/** Generations that are applied, shared, dropped and kept over a restart. */
export function generationsContract(context: IndexContext): void {
  describe('generations', () => {
    it('are not seen before a query names them, and all at once when it does', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      await context.apply(source, 1, CACHE);
      await context.apply(source, 2, RETRY, SOCKET);
      expect(found(await context.search('evict retry socket', [source.at(1)]))).toEqual([
        'src/cache.ts',
      ]);
      expect(found(await context.search('evict retry socket', [source.at(2)]))).toEqual([
        'src/retry.ts',
        'src/socket.go',
      ]);
    });

    it('share packs, each without the chunks that it dropped', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      await context.apply(source, 1, CACHE, RETRY);
      const changed = { ...RETRY, text: 'retry differently' };
      const packs = [source.pack([CACHE, RETRY], [RETRY.path]), source.pack([changed])];
      expect(await context.index.applyGeneration(source.manifest(2, packs), source.readBlob)).toBe(
        2,
      );
      const [live] = (await context.search('retry', [source.at(2)], { vectorFor: NO_VECTOR }))
        .candidates;
      expect(live?.chunkId).toBe(source.idOf(changed));
      expect(
        found(await context.search('retry request', [source.at(1)], { vectorFor: NO_VECTOR })),
      ).toEqual(['src/retry.ts']);
      expect(
        await context.index.contents(source.at(2), [source.idOf(RETRY), source.idOf(changed)]),
      ).toEqual([undefined, 'retry differently']);
    });

    it('change nothing when they are applied twice, also at once', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const manifest = source.manifest(1, [source.pack([CACHE, RETRY])]);
      const counts = await Promise.all(
        [1, 2, 3].map(() => context.index.applyGeneration(manifest, source.readBlob)),
      );
      expect(counts).toEqual([2, 2, 2]);
      expect(await context.index.generations()).toEqual([source.at(1)]);
      await context.index.dropGeneration(ONE, source.sourceId, 1);
      expect(await context.index.generations()).toEqual([]);
    });

    it('may be empty', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      expect(await context.index.applyGeneration(source.manifest(1, []), source.readBlob)).toBe(0);
      expect((await context.search('evict', [source.at(1)])).candidates).toEqual([]);
    });

    it('answer engine_unavailable when they are not loaded, never an empty list', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, CACHE);
      const unavailable = expect.objectContaining({ code: 'engine_unavailable' });
      await expect(context.search('evict', [source.at(2)])).rejects.toEqual(unavailable);
      await expect(
        context.search('evict', [live], { corpus: [live, source.at(2)] }),
      ).rejects.toEqual(unavailable);
      await expect(context.index.contents(source.at(2), [])).rejects.toEqual(unavailable);
      await expect(context.index.document(source.at(2), CACHE.path)).rejects.toEqual(unavailable);
    });

    it('are gone when dropped, and leave the packs of others alone; dropping an unknown one is nothing', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      await context.apply(source, 1, CACHE, RETRY);
      await context.apply(source, 2, CACHE, RETRY);
      await context.index.dropGeneration(ONE, source.sourceId, 1);
      await context.index.dropGeneration(ONE, source.sourceId, 9);
      expect(await context.index.generations()).toEqual([source.at(2)]);
      const gone = await context.search('evict', [source.at(1)]).catch((error: unknown) => error);
      expect(isFootnoteError(gone, 'engine_unavailable')).toBe(true);
      expect(
        found(await context.search('evict', [source.at(2)], { vectorFor: NO_VECTOR })),
      ).toEqual(['src/cache.ts']);
    });

    it('leave nothing behind when their packs cannot be had, and can be applied later', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const manifest = source.manifest(1, [source.pack([CACHE]), source.pack([RETRY])]);
      let reads = 0;
      const failing = (hash: string): Promise<Uint8Array> =>
        ++reads === 2 ? Promise.reject(new Error('away')) : source.readBlob(hash);
      await expect(context.index.applyGeneration(manifest, failing)).rejects.toThrow('away');
      expect(await context.index.generations()).toEqual([]);
      expect(await context.index.applyGeneration(manifest, source.readBlob)).toBe(2);
    });

    it('are still there after a restart', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const packs = [source.pack([CACHE, RETRY], [RETRY.path]), source.pack([SOCKET])];
      await context.index.applyGeneration(source.manifest(3, packs), source.readBlob);
      const before = await context.search('evict retry socket', [source.at(3)]);
      await context.reopen();
      expect(await context.index.generations()).toEqual([source.at(3)]);
      expect(await context.search('evict retry socket', [source.at(3)])).toEqual(before);
      expect(await context.index.contents(source.at(3), [source.idOf(SOCKET)])).toEqual([
        SOCKET.text,
      ]);
    });
  });
}
