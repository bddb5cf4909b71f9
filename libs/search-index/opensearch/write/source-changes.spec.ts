import { describe, expect, it } from '@jest/globals';

import { SourceChanges } from './source-changes.js';

describe('changes of sources', () => {
  /** Records begin and end of work, in order; each piece of work ends on request. */
  function recorded() {
    const log: string[] = [];
    const ends = new Map<string, PromiseWithResolvers<void>>();
    const work = (name: string) => async (): Promise<string> => {
      log.push(`${name} begins`);
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      await end.promise;
      log.push(`${name} ends`);
      return name;
    };
    return {
      log,
      work,
      end: (name: string) => ends.get(name)?.resolve(),
      fail: (name: string) => ends.get(name)?.reject(new Error(name)),
    };
  }
  const turn = () => new Promise(setImmediate);

  it('of one source wait for each other, also after a failed one, and those of another do not', async () => {
    const changes = new SourceChanges();
    const { log, work, end, fail } = recorded();
    const first = changes.run('t', 'one', work('first'));
    const second = changes.run('t', 'one', work('second'));
    const other = changes.run('t', 'two', work('other'));
    await turn();
    expect(log).toEqual(['first begins', 'other begins']);
    fail('first');
    await expect(first).rejects.toThrow('first');
    await turn();
    end('second');
    end('other');
    expect(await Promise.all([second, other])).toEqual(['second', 'other']);
  });

  it('have all ended while they are held, and later ones wait', async () => {
    const changes = new SourceChanges();
    const { log, work, end } = recorded();
    const before = changes.run('t', 'one', work('before'));
    await turn();
    const held = changes.hold(work('held'));
    const after = changes.run('t', 'two', work('after'));
    await turn();
    expect(log).toEqual(['before begins']);
    end('before');
    await before;
    await turn();
    end('held');
    await held;
    await turn();
    end('after');
    await after;
    expect(log).toEqual([
      'before begins',
      'before ends',
      'held begins',
      'held ends',
      'after begins',
      'after ends',
    ]);
  });
});
