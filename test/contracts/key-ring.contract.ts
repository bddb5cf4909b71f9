import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { KeyRing, Sealed } from '#platform';

/** What every key ring promises. `reopen` gives the same ring as a new process would see it. */
export function keyRingContract(
  name: string,
  open: () => Promise<{ ring: KeyRing; reopen(): Promise<KeyRing>; dispose(): Promise<void> }>,
): void {
  describe(`key ring contract: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.dispose());

    it('opens what it sealed, also in a later process', async () => {
      const sealed = await opened.ring.seal('tenant-a', 'stream:1:query', 'how are packs merged?');
      expect(sealed).not.toContain('packs');
      expect(await opened.ring.open('tenant-a', 'stream:1:query', sealed)).toBe('how are packs merged?');
      expect(await (await opened.reopen()).open('tenant-a', 'stream:1:query', sealed)).toBe('how are packs merged?');
    });

    it('seals the same text differently each time', async () => {
      expect(await opened.ring.seal('tenant-a', 'c', 'x')).not.toBe(await opened.ring.seal('tenant-a', 'c', 'x'));
    });

    it('refuses another place, another tenant and changed bytes', async () => {
      const sealed = await opened.ring.seal('tenant-a', 'place', 'secret');
      await opened.ring.seal('tenant-b', 'place', 'other');
      await expect(opened.ring.open('tenant-a', 'elsewhere', sealed)).rejects.toThrow();
      await expect(opened.ring.open('tenant-b', 'place', sealed)).rejects.toThrow();
      const changed = Buffer.from(sealed, 'base64');
      changed[15] = (changed[15] ?? 0) ^ 1;
      await expect(opened.ring.open('tenant-a', 'place', changed.toString('base64') as Sealed)).rejects.toThrow();
    });

    it('erases by destroying the key, for good and for that tenant alone', async () => {
      const sealed = await opened.ring.seal('tenant-a', 'place', 'secret');
      const kept = await opened.ring.seal('tenant-b', 'place', 'kept');
      await opened.ring.destroy('tenant-a');
      await opened.ring.destroy('tenant-a');
      const later = await opened.reopen();
      expect(await later.open('tenant-a', 'place', sealed)).toBeNull();
      await expect(later.seal('tenant-a', 'place', 'again')).rejects.toThrow('destroyed');
      expect(await later.open('tenant-b', 'place', kept)).toBe('kept');
    });
  });
}
