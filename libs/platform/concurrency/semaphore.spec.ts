import { describe, expect, it } from '@jest/globals';

import { sleep } from '../clock/sleep.js';
import { Semaphore } from './semaphore.js';

describe('a semaphore', () => {
  it('admits no more than it has permits, and releases the permit of failed work', async () => {
    const semaphore = new Semaphore(2);
    let inside = 0;
    let most = 0;
    const visit = (fails: boolean) =>
      semaphore.run(async () => {
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

  it('removes aborted waiting work, and passes its turn on', async () => {
    const semaphore = new Semaphore(1);
    const gate = Promise.withResolvers<void>();
    const first = semaphore.run(() => gate.promise);
    const leaving = new AbortController();
    const second = semaphore.run(() => Promise.resolve('second'), leaving.signal);
    const third = semaphore.run(() => Promise.resolve('third'));
    leaving.abort(new Error('given up'));
    await expect(second).rejects.toThrow('given up');
    gate.resolve();
    await first;
    expect(await third).toBe('third');
  });
});
