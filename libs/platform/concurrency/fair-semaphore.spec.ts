import { describe, expect, it } from '@jest/globals';

import { FairSemaphore, type FairSemaphoreOptions } from './fair-semaphore.js';

/** Work that ends on request, by name. */
class Works {
  readonly running: string[] = [];
  private readonly gates = new Map<string, PromiseWithResolvers<void>>();
  private readonly semaphore: FairSemaphore;

  constructor(options: FairSemaphoreOptions) {
    this.semaphore = new FairSemaphore(options);
  }

  start(name: string, signal?: AbortSignal): Promise<void> {
    const gate = Promise.withResolvers<void>();
    this.gates.set(name, gate);
    return this.semaphore.run(
      name.charAt(0),
      async () => {
        this.running.push(name);
        await gate.promise;
        this.running.splice(this.running.indexOf(name), 1);
      },
      signal,
    );
  }

  async end(name: string): Promise<void> {
    this.gates.get(name)?.resolve();
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a fair semaphore', () => {
  it('lets one tenant use every slot while it is alone', async () => {
    const works = new Works({ places: 2, spare: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void works.start(name);
    await settled();
    expect(works.running).toEqual(['a1', 'a2']);
  });

  it('admits a tenant without slots at once, and the first one again when it has fewer than its slots', async () => {
    const works = new Works({ places: 2, spare: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void works.start(name);
    await settled();
    expect(works.running).toEqual(['a1', 'a2', 'b1']);
    await works.end('a1');
    expect(works.running).toEqual(['a2', 'b1', 'c1']);
    await works.end('b1');
    expect(works.running).toEqual(['a2', 'c1', 'b2']);
    await works.end('c1');
    expect(works.running).toEqual(['a2', 'b2']);
    await works.end('b2');
    expect(works.running).toEqual(['a2', 'a3']);
  });

  it('gives slots by turns of tenants, not in order of arrival', async () => {
    const works = new Works({ places: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void works.start(name);
    const order: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await settled();
      order.push(works.running[0] ?? '');
      await works.end(works.running[0] ?? '');
    }
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('gives no tenant more than its maximum, even if slots are free', async () => {
    const works = new Works({ places: 2, mostOfTenant: 1 });
    for (const name of ['a1', 'a2', 'b1']) void works.start(name);
    await settled();
    expect(works.running).toEqual(['a1', 'b1']);
  });

  it('removes aborted waiting work, and passes its turn on', async () => {
    const works = new Works({ places: 1 });
    const leaving = new AbortController();
    void works.start('a1');
    const second = works.start('b1', leaving.signal);
    void works.start('c1');
    leaving.abort(new Error('given up'));
    await expect(second).rejects.toThrow('given up');
    await works.end('a1');
    expect(works.running).toEqual(['c1']);
  });

  it('is free while work that arrives would run at once', async () => {
    const semaphore = new FairSemaphore({ places: 1, spare: 1 });
    const gate = Promise.withResolvers<void>();
    expect(semaphore.isFree).toBe(true);
    const first = semaphore.run('a', () => gate.promise);
    // The spare slot is for other tenants, not for work that nobody waits for.
    expect(semaphore.isFree).toBe(false);
    gate.resolve();
    await first;
    expect(semaphore.isFree).toBe(true);
  });

  it('releases the slot of failed work', async () => {
    const semaphore = new FairSemaphore({ places: 1 });
    await expect(semaphore.run('a', () => Promise.reject(new Error('fell')))).rejects.toThrow(
      'fell',
    );
    expect(await semaphore.run('a', () => Promise.resolve(1))).toBe(1);
  });
});
