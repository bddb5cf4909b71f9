import { describe, expect, it } from '@jest/globals';

import type { SearchEvidence } from '#search';

import type { Charged } from '../../quota/quota-ledger.js';
import { SearchCharge } from './search-charge.js';

/** Evidence that differs from all other. */
function evidence(): SearchEvidence {
  return { scores: [] } as unknown as SearchEvidence;
}

/** Charges under the ids 1, 2, …, and records what was asked, in order. */
function account(failing: readonly number[] = []) {
  const calls: string[] = [];
  let charges = 0;
  const charge = new SearchCharge({
    charge: async () => {
      const id = String((charges += 1));
      calls.push(`charge ${id}`);
      await Promise.resolve();
      if (failing.includes(charges)) throw new Error(`no charge ${id}`);
      return { id } as Charged;
    },
    giveBack: async (id) => {
      await Promise.resolve();
      calls.push(`return ${id}`);
    },
  });
  return { charge, calls };
}

describe('the charge of a search', () => {
  it('is the one that began with the scores of the answer', async () => {
    const { charge, calls } = account();
    const found = evidence();
    charge.begin(found);
    expect(calls).toEqual(['charge 1']);
    expect(await charge.settle({ ...found })).toEqual({ id: '1' });
    expect(calls).toEqual(['charge 1']);
  });

  it('begins with the answer where nothing was reported before', async () => {
    const { charge, calls } = account();
    expect(await charge.settle(evidence())).toEqual({ id: '1' });
    expect(calls).toEqual(['charge 1']);
  });

  it('is returned before another one if the answer has other scores', async () => {
    const { charge, calls } = account();
    charge.begin(evidence());
    expect(await charge.settle(evidence())).toEqual({ id: '2' });
    expect(calls).toEqual(['charge 1', 'return 1', 'charge 2']);
  });

  it('is returned before another one if the search begins again', async () => {
    const { charge, calls } = account();
    charge.begin(evidence());
    const again = evidence();
    charge.begin(again);
    expect(await charge.settle(again)).toEqual({ id: '2' });
    expect(calls).toEqual(['charge 1', 'return 1', 'charge 2']);
  });

  it('is returned if the search fails, once', async () => {
    const { charge, calls } = account();
    charge.begin(evidence());
    await charge.cancel();
    await charge.cancel();
    expect(calls).toEqual(['charge 1', 'return 1']);
  });

  it('fails the answer if it fails, and returns nothing', async () => {
    const { charge, calls } = account([1]);
    const found = evidence();
    charge.begin(found);
    await expect(charge.settle(found)).rejects.toThrow('no charge 1');
    await charge.cancel();
    expect(calls).toEqual(['charge 1']);
  });
});
