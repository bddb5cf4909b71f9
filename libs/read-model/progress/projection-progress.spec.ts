import { describe, expect, it } from '@jest/globals';

import type { Position } from '#contracts';

import { ProjectionProgress } from './projection-progress.js';

const at = (position: number) => String(position).padStart(20, '0') as Position;

describe('progress of projections', () => {
  it('wakes a caller that waits for a position once it is reached, and not before', async () => {
    const progress = new ProjectionProgress();
    const waited = progress.wait('jobs', at(2), 5_000);
    progress.report('jobs', at(1));
    expect(await Promise.race([waited, Promise.resolve('waiting')])).toBe('waiting');
    progress.report('jobs', at(2));
    expect(await waited).toBe(true);
    expect(await progress.wait('jobs', at(3), 1)).toBe(false);
  });

  it('notifies listeners of their projection only, until they stop listening', () => {
    const progress = new ProjectionProgress();
    let notified = 0;
    const stop = progress.onReport('generations', () => (notified += 1));
    progress.report('jobs', at(1));
    expect(notified).toBe(0);
    progress.report('generations', at(1));
    expect(notified).toBe(1);
    stop();
    progress.report('generations', at(2));
    expect(notified).toBe(1);
  });

  it('lets a projector collect events until a caller waits for it, or the given time is over', async () => {
    const progress = new ProjectionProgress();
    const never = new AbortController().signal;
    // A collection that nothing ends would outlast the test.
    const gathered = async (work: () => unknown, signal = never) => {
      const gathering = progress.untilWanted('jobs', 3_600_000, signal);
      work();
      await gathering;
      return true;
    };
    expect(await gathered(() => void progress.wait('jobs', at(1), 5_000))).toBe(true);
    // The caller is still waiting.
    expect(await gathered(() => undefined)).toBe(true);
    progress.report('jobs', at(1));
    const ending = new AbortController();
    expect(await gathered(() => ending.abort(), ending.signal)).toBe(true);
    const started = performance.now();
    const gathering = progress.untilWanted('jobs', 100, never);
    void progress.wait('sources', at(1), 1);
    await gathering;
    expect(performance.now() - started).toBeGreaterThanOrEqual(90);
  });
});
