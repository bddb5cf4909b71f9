import { describe, expect, it } from '@jest/globals';

import { alwaysHeld } from '#platform';

describe('alwaysHeld', () => {
  it('runs the work at once and ends with it', async () => {
    const names: string[] = [];
    await alwaysHeld().hold('a', async (signal) => void names.push(`a ${signal.aborted}`), live());
    expect(names).toEqual(['a false']);
  });

  it('passes on the abort and treats a later error of the work as its end', async () => {
    const outer = new AbortController();
    const run = alwaysHeld().hold(
      'a',
      (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
      { signal: outer.signal },
    );
    outer.abort();
    await expect(run).resolves.toBeUndefined();
  });

  it('throws the errors of the work', async () => {
    const failing = alwaysHeld().hold('a', () => Promise.reject(new Error('broken')), live());
    await expect(failing).rejects.toThrow('broken');
  });

  it('runs nothing if the signal has already aborted', async () => {
    let runs = 0;
    await alwaysHeld().hold('a', async () => void (runs += 1), { signal: AbortSignal.abort() });
    expect(runs).toBe(0);
  });
});

function live() {
  return { signal: new AbortController().signal };
}
