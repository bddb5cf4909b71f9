import { describe, expect, it } from '@jest/globals';

import type { LiveSource } from '#search-index';

import { IndexedSource, uuidOf } from '../../support/indexed-source.js';
import { CACHE, found, type IndexContext, NO_VECTOR, ONE, RETRY, SOCKET } from './index-context.js';

/** An index that is built while another one serves. */
export function replacementContract(context: IndexContext): void {
  describe('an index that is built next to the active one', () => {
    const never = (): boolean => false;
    const always = (): boolean => true;
    const idsOf = async (live: LiveSource): Promise<string[]> => {
      const ids: string[] = [];
      for await (const id of context.index.chunkIds(live)) ids.push(id);
      return ids.sort();
    };

    it('is not seen until it is shown, and then is all that is seen, after a restart too', async () => {
      const [kept, gone] = [
        new IndexedSource(ONE, uuidOf('kept')),
        new IndexedSource(ONE, uuidOf('gone')),
      ];
      const manifest = kept.manifest(2, [
        kept.pack([CACHE, RETRY, SOCKET], [SOCKET.path]),
        kept.pack([SOCKET]),
      ]);
      await context.index.applyGeneration(manifest, kept.readBlob);
      await context.apply(gone, 1, CACHE);
      const before = await context.search('evict retry socket', [kept.at(2)]);
      const beside = await context.index.buildBeside();
      expect(await beside.generations()).toEqual([]);
      expect(await beside.applyGeneration(manifest, kept.readBlob)).toBe(3);
      expect(await beside.applyGeneration(manifest, kept.readBlob)).toBe(3);
      expect(await context.index.generations()).toHaveLength(2);
      expect(await context.search('evict retry socket', [kept.at(2)])).toEqual(before);
      expect(await beside.show(({ sourceId }) => sourceId === kept.sourceId)).toBe(true);
      for (let round = 0; round < 2; round += 1) {
        expect(await context.index.generations()).toEqual([kept.at(2)]);
        expect(await context.search('evict retry socket', [kept.at(2)])).toEqual(before);
        expect(await idsOf(kept.at(2))).toEqual(
          [CACHE, RETRY, SOCKET].map((each) => kept.idOf(each)).sort(),
        );
        expect(await context.index.contents(kept.at(2), [kept.idOf(SOCKET)])).toEqual([
          SOCKET.text,
        ]);
        await context.reopen();
      }
      await context.apply(kept, 3, SOCKET);
      await context.index.dropGeneration(ONE, kept.sourceId, 2);
      expect(await context.index.generations()).toEqual([kept.at(3)]);
      expect(
        found(await context.search('evict frames', [kept.at(3)], { vectorFor: NO_VECTOR })),
      ).toEqual([SOCKET.path]);
    });

    it('takes no place where it lacks what is required, and may be filled further', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, CACHE);
      const beside = await context.index.buildBeside();
      expect(await beside.show(always)).toBe(false);
      expect(found(await context.search('evict', [live], { vectorFor: NO_VECTOR }))).toEqual([
        CACHE.path,
      ]);
      await context.apply(source, 2, RETRY);
      await beside.applyGeneration(source.manifest(1, [source.pack([CACHE])]), source.readBlob);
      expect(await beside.show(always)).toBe(false);
      await beside.applyGeneration(source.manifest(2, [source.pack([RETRY])]), source.readBlob);
      expect(await beside.show(always)).toBe(true);
      expect(
        found(await context.search('retry', [source.at(2)], { vectorFor: NO_VECTOR })),
      ).toEqual([RETRY.path]);
    });

    it('leaves the one that serves when it is discarded or a process dies over it, and can be begun again', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, CACHE);
      const manifest = source.manifest(1, [source.pack([CACHE])]);
      const discarded = await context.index.buildBeside();
      await discarded.applyGeneration(manifest, source.readBlob);
      await discarded.discard();
      await (await context.index.buildBeside()).applyGeneration(manifest, source.readBlob);
      await context.reopen();
      expect(await context.index.generations()).toEqual([live]);
      expect(found(await context.search('evict', [live], { vectorFor: NO_VECTOR }))).toEqual([
        CACHE.path,
      ]);
      for (let round = 0; round < 2; round += 1) {
        const beside = await context.index.buildBeside();
        await beside.applyGeneration(manifest, source.readBlob);
        expect(await beside.show(always)).toBe(true);
        await beside.discard();
        expect(await context.index.contents(live, [source.idOf(CACHE)])).toEqual([CACHE.text]);
      }
    });

    it('can take over a generation whose content is lost, and nothing where there is none', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      await context.apply(source, 1, CACHE);
      const packs = [source.pack([CACHE, RETRY], [CACHE.path]), source.pack([SOCKET])];
      await context.index.applyGeneration(source.manifest(2, packs), source.readBlob);
      const before = await context.search('evict retry socket', [source.at(2)]);
      const beside = await context.index.buildBeside();
      await beside.takeOver(source.at(7));
      expect(await beside.generations()).toEqual([]);
      await beside.applyGeneration(source.manifest(1, [source.pack([CACHE])]), source.readBlob);
      await beside.takeOver(source.at(2));
      expect(await beside.generations()).toEqual([source.at(1), source.at(2)]);
      await beside.dropGeneration(ONE, source.sourceId, 1);
      expect(await beside.show(never)).toBe(true);
      expect(await context.index.generations()).toEqual([source.at(2)]);
      expect(await context.search('evict retry socket', [source.at(2)])).toEqual(before);
      expect(await idsOf(source.at(2))).toEqual(
        [RETRY, SOCKET].map((each) => source.idOf(each)).sort(),
      );
    });
  });
}
