import { describe, expect, it } from '@jest/globals';

import { sleep } from '#platform';

import { MessageSlots } from './message-slots.js';

describe('MessageSlots', () => {
  it('limits running work, and releases the slot of failed work', async () => {
    const slots = new MessageSlots(2);
    let inside = 0;
    let most = 0;
    const visit = (fails: boolean) =>
      slots.run(async () => {
        most = Math.max(most, (inside += 1));
        await sleep(2);
        inside -= 1;
        if (fails) throw new Error('fell');
      });
    const visits = Array.from({ length: 8 }, (_, index) => visit(index % 2 === 0));
    const outcomes = await Promise.allSettled(visits);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(most).toBe(2);
  });

  it('divides slots among tenants in turn, at most half for one', async () => {
    const slots = new MessageSlots(4, 2);
    const entered: string[] = [];
    const ends: (() => void)[] = [];
    const visit = (name: string) =>
      slots.run(
        () => {
          entered.push(name);
          return new Promise<void>((resolve) => ends.push(resolve));
        },
        name.slice(0, 1),
      );
    const visits = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(visit);
    await sleep(2);
    expect(entered).toEqual(['a1', 'a2', 'b1', 'b2']);
    ends.shift()?.();
    await sleep(2);
    expect(entered.slice(4)).toEqual(['c1']);
    while (entered.length < 7 || ends.length > 0) {
      ends.shift()?.();
      await sleep(1);
    }
    await Promise.all(visits);
    expect(entered.slice(5)).toEqual(['a3', 'a4']);
  });
});
