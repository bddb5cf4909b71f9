import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { KeyRing, Sealed } from '#platform';

export interface KeyRingHarness {
  readonly ring: KeyRing;
  /** The same ring as a new process would see it. */
  reopen(): Promise<KeyRing>;
  /**
   * Loses everything.
   * @returns a function that restores it, in addition to keys that were made since. The ring is
   * opened again after either.
   */
  lose(): Promise<() => Promise<void>>;
  dispose(): Promise<void>;
}

/** The contract of every key ring. */
export function keyRingContract(name: string, open: () => Promise<KeyRingHarness>): void {
  describe(`key ring contract: ${name}`, () => {
    let opened: KeyRingHarness;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.dispose());

    it('opens what it sealed, also in a later process', async () => {
      const sealed = await opened.ring.seal('tenant-a', 'stream:1:query', 'how are packs merged?');
      expect(sealed).not.toContain('packs');
      expect(await opened.ring.open('tenant-a', 'stream:1:query', sealed)).toBe(
        'how are packs merged?',
      );
      expect(await (await opened.reopen()).open('tenant-a', 'stream:1:query', sealed)).toBe(
        'how are packs merged?',
      );
    });

    it('seals the same text differently each time', async () => {
      expect(await opened.ring.seal('tenant-a', 'c', 'x')).not.toBe(
        await opened.ring.seal('tenant-a', 'c', 'x'),
      );
    });

    it('refuses another place, another tenant and changed bytes', async () => {
      const sealed = await opened.ring.seal('tenant-a', 'place', 'secret');
      await opened.ring.seal('tenant-b', 'place', 'other');
      await expect(opened.ring.open('tenant-a', 'elsewhere', sealed)).rejects.toThrow();
      // It opens nothing: whether because the other's key has another name or does not fit is the
      // ring's.
      expect(await opened.ring.open('tenant-b', 'place', sealed).catch(() => null)).toBeNull();
      await expect(opened.ring.open('tenant-a', 'place', changed(sealed))).rejects.toThrow();
    });

    it('reports a missing key, and opens nothing with another', async () => {
      const sealed = await opened.ring.seal('tenant-a', 'place', 'secret');
      expect(await opened.ring.standing('tenant-a')).toBe('present');
      await opened.lose();
      const later = await opened.reopen();
      expect(await later.standing('tenant-a')).toBe('absent');
      expect(await later.open('tenant-a', 'place', sealed)).toBeNull();
      await later.seal('tenant-a', 'place', 'other');
      expect(await later.open('tenant-a', 'place', sealed)).toBeNull();
    });

    it('opens texts that were sealed before and during its loss, once it is restored', async () => {
      const before = await opened.ring.seal('tenant-a', 'place', 'before');
      const putBack = await opened.lose();
      const meanwhile = await opened.reopen();
      const sealed = [
        await meanwhile.seal('tenant-a', 'place', 'one'),
        await meanwhile.seal('tenant-b', 'place', 'two'),
      ];
      await putBack();
      const later = await opened.reopen();
      expect(await later.open('tenant-a', 'place', before)).toBe('before');
      expect(await later.open('tenant-a', 'place', sealed[0] as Sealed)).toBe('one');
      expect(await later.open('tenant-b', 'place', sealed[1] as Sealed)).toBe('two');
      expect(
        await later.open('tenant-a', 'place', await later.seal('tenant-a', 'place', 'after')),
      ).toBe('after');
    });

    it('keeps erased what was destroyed before a lost ring was put back', async () => {
      const before = await opened.ring.seal('tenant-a', 'place', 'before');
      const putBack = await opened.lose();
      await (await opened.reopen()).destroy('tenant-a');
      await putBack();
      const later = await opened.reopen();
      expect(await later.open('tenant-a', 'place', before)).toBeNull();
      expect(await later.standing('tenant-a')).toBe('destroyed');
      await expect(later.seal('tenant-a', 'place', 'again')).rejects.toThrow('destroyed');
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

/** With another byte in what was sealed. */
function changed(sealed: Sealed): Sealed {
  const [id, text = ''] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64');
  bytes[15] = (bytes[15] ?? 0) ^ 1;
  return `${id}.${bytes.toString('base64')}` as Sealed;
}
