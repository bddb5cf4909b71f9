import { describe, expect, it } from '@jest/globals';

import { isFootnoteError } from '#contracts';

import { AppendGate } from './append-gate.js';

describe('append gate', () => {
  it('admits as many as its limit, and the next in order of arrival', async () => {
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

  it('rejects a caller that waits too long and one that finds too many waiting, without losing a slot', async () => {
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
