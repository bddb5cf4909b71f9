import { describe, expect, it } from '@jest/globals';

import { isFootnoteError } from '#contracts';

import { AppendGate } from './append-gate.js';

describe('append gate', () => {
  it('lets as many in as it is wide, the next when one leaves, in the order they came', async () => {
    const gate = new AppendGate(2, 10);
    const order: number[] = [];
    const entered = [0, 1, 2, 3].map((index) => gate.enter(1_000).then(() => order.push(index)));
    await Promise.all(entered.slice(0, 2));
    expect(order).toEqual([0, 1]);
    gate.leave();
    await entered[2];
    expect(order).toEqual([0, 1, 2]);
    gate.leave();
    await entered[3];
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('refuses who waits too long and who comes when too many wait, without losing a place', async () => {
    const gate = new AppendGate(1, 1);
    await gate.enter(1_000);
    const waits = gate.enter(5).catch((error: unknown) => error);
    const oneTooMany = await gate.enter(1_000).catch((error: unknown) => error);
    expect(isFootnoteError(oneTooMany, 'engine_unavailable')).toBe(true);
    expect(isFootnoteError(await waits, 'engine_unavailable')).toBe(true);
    gate.leave();
    await expect(gate.enter(5)).resolves.toBeUndefined();
  });
});
