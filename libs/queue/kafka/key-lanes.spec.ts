import { describe, expect, it } from '@jest/globals';

import { sleep } from '#platform';

import { KeyLanes, Places } from './key-lanes.js';

describe('KeyLanes', () => {
  it('runs the work of a key in order and one at a time, beside that of others', async () => {
    const lanes = new KeyLanes();
    const gate = Promise.withResolvers<void>();
    const seen: string[] = [];
    lanes.add('a', async () => {
      await gate.promise;
      seen.push('a1');
    });
    lanes.add('a', async () => void seen.push('a2'));
    lanes.add('b', async () => void seen.push('b1'));
    await sleep(5);
    expect(seen).toEqual(['b1']);
    gate.resolve();
    await lanes.idle();
    expect(seen).toEqual(['b1', 'a1', 'a2']);
  });

  it('is idle only when what was added meanwhile has ended, too', async () => {
    const lanes = new KeyLanes();
    let ended = false;
    lanes.add('a', async () => {
      await sleep(5);
      lanes.add('a', async () => {
        await sleep(5);
        ended = true;
      });
    });
    await lanes.idle();
    expect(ended).toBe(true);
  });
});

describe('Places', () => {
  it('lets no more in than there are, and a failure gives its place back', async () => {
    const places = new Places(2);
    let inside = 0;
    let most = 0;
    const visit = (fails: boolean) =>
      places.run(async () => {
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
});
