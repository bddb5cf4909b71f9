import { describe, expect, it } from '@jest/globals';

import { TurnOrder } from './turn-order.js';

describe('the turns of a conversation', () => {
  const here = new AbortController().signal;

  it('begin one after the other, and run at the same time as those of another conversation', async () => {
    const order = new TurnOrder();
    const began: string[] = [];
    const endFirst = await order.enter('a', here);
    const second = order.enter('a', here).then((end) => (began.push('second'), end()));
    const third = order.enter('a', here).then((end) => (began.push('third'), end()));
    (await order.enter('b', here))();
    expect(began).toEqual([]);
    endFirst();
    await Promise.all([second, third]);
    expect(began).toEqual(['second', 'third']);
    (await order.enter('a', here))();
  });

  it('wait no longer than their time, and then let the next turn pass', async () => {
    const order = new TurnOrder();
    const end = await order.enter('a', here);
    await expect(order.enter('a', here, 5)).rejects.toMatchObject({ code: 'concurrent_change' });
    const gone = new AbortController();
    const leaving = order.enter('a', gone.signal);
    gone.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
    const next = order.enter('a', here);
    end();
    (await next)();
  });

  it('wait in a bounded number', async () => {
    const order = new TurnOrder();
    const end = await order.enter('a', here);
    const waiting = Array.from({ length: 8 }, async () => (await order.enter('a', here))());
    await expect(order.enter('a', here)).rejects.toMatchObject({ code: 'concurrent_change' });
    end();
    await Promise.all(waiting);
  });
});
