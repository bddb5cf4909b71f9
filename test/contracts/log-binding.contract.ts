import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { LogBinding, LogId } from '#platform';

/** A store that its binding is asked of. */
export interface BoundStore {
  readonly binding: LogBinding;
  /** The binding as a later process sees it. */
  reopen(): Promise<LogBinding>;
  /** Puts something into the store that came out of a log. */
  fill(): Promise<unknown>;
  /** The content of a store as a caller sees it. */
  content(): Promise<unknown>;
  dispose(): Promise<void>;
}

const LOG = '0190b5e4-7b1d-5000-8000-000000000001' as LogId;
const OTHER = '0190b5e4-7b1d-5000-8000-000000000002' as LogId;

/** The contract of every store that belongs to a log. `open` returns an empty store. */
export function logBindingContract(name: string, open: () => Promise<BoundStore>): void {
  describe(`log binding contract: ${name}`, () => {
    let store: BoundStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.dispose());

    it('is bound to nothing, and empty, when it is new', async () => {
      expect([await store.binding.boundTo(), await store.binding.isEmpty()]).toEqual([null, true]);
    });

    it('returns the log that it was bound to, also to a later process', async () => {
      await store.binding.bind(LOG);
      expect(await store.binding.boundTo()).toBe(LOG);
      expect(await (await store.reopen()).boundTo()).toBe(LOG);
    });

    it('is bound to the last log, and to the same one twice without harm', async () => {
      for (const log of [LOG, LOG, OTHER]) await store.binding.bind(log);
      expect(await store.binding.boundTo()).toBe(OTHER);
    });

    it('takes its own binding for no content, and shows it to no caller of the store', async () => {
      const before = await store.content();
      await store.binding.bind(LOG);
      expect(await store.binding.isEmpty()).toBe(true);
      expect(await store.content()).toEqual(before);
    });

    it('is not empty once something came out of a log, whether it is bound or not', async () => {
      await store.fill();
      expect([await store.binding.boundTo(), await store.binding.isEmpty()]).toEqual([null, false]);
      const before = await store.content();
      await store.binding.bind(LOG);
      expect(await store.content()).toEqual(before);
      const later = await store.reopen();
      expect([await later.boundTo(), await later.isEmpty()]).toEqual([LOG, false]);
    });
  });
}
