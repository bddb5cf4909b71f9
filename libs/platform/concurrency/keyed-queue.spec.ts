import { describe, expect, it } from '@jest/globals';

import { KeyedQueue } from './keyed-queue.js';

describe('a keyed queue', () => {
  const step = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('runs work of one key in order and of different keys concurrently', async () => {
    const queue = new KeyedQueue();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await step();
      seen.push(`${name} ends`);
      return name;
    };
    const done = [
      queue.run('a', work('a1')),
      queue.run('b', work('b1')),
      queue.run('a', work('a2')),
    ];
    expect(await Promise.all(done)).toEqual(['a1', 'b1', 'a2']);
    expect(seen.slice(0, 2)).toEqual(['a1 begins', 'b1 begins']);
    expect(seen.filter((each) => each.startsWith('a'))).toEqual([
      'a1 begins',
      'a1 ends',
      'a2 begins',
      'a2 ends',
    ]);
  });

  it('continues after failed work, whose error only its caller gets', async () => {
    const queue = new KeyedQueue();
    const failing = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('forgets a key when its last work is done', async () => {
    const queue = new KeyedQueue();
    await Promise.all(['a', 'b', 'a'].map((key) => queue.run(key, step)));
    expect(queue.size).toBe(0);
  });

  it('is idle only when work added during the wait has ended, too', async () => {
    const queue = new KeyedQueue();
    let ended = false;
    void queue.run('a', async () => {
      await step();
      void queue.run('a', async () => {
        await step();
        ended = true;
      });
    });
    await queue.idle();
    expect(ended).toBe(true);
  });
});
