import { describe, expect, it, jest } from '@jest/globals';

import { type LongWork, waitFor } from './wait-for.js';

/** Clients give up a call after 60 s. */
const HANDLE_WITHIN_MS = 50_000;

interface State {
  readonly percent: number;
}

/** Work that takes some time, on a clock that only waits and looks advance. */
function workOf(takesMs: number, { lookMs = 0, onPause = () => {} } = {}) {
  let now = 0;
  const cancel = jest.fn(async () => undefined);
  const work: LongWork<State> = {
    look: async () => {
      now += lookMs;
      return { percent: Math.min(100, Math.floor((now / takesMs) * 100)) };
    },
    isOver: ({ percent }) => percent === 100,
    progressOf: ({ percent }) => ({ percent, message: `step ${Math.floor(percent / 50)}` }),
    cancel,
  };
  const clock = {
    now: () => now,
    pause: async (ms: number, signal: AbortSignal) => {
      now += ms;
      onPause();
      signal.throwIfAborted();
    },
  };
  return { work, clock, cancel };
}

describe('waiting for long work', () => {
  const never = new AbortController().signal;
  const report = async () => undefined;

  it.each([0, 1_000, 4_500])(
    'returns unfinished work before 50 s, also if each look takes %i ms',
    async (lookMs) => {
      const { work, clock, cancel } = workOf(3_600_000, { lookMs });
      const state = await waitFor(work, { signal: never, isCancelled: () => true, report }, clock);
      expect(state.percent).toBeLessThan(100);
      expect(clock.now()).toBeGreaterThan(40_000);
      expect(clock.now()).toBeLessThan(HANDLE_WITHIN_MS);
      expect(cancel).not.toHaveBeenCalled();
    },
  );

  it('returns finished work at once, and reports each step once', async () => {
    const { work, clock } = workOf(30_000);
    const steps: string[] = [];
    const state = await waitFor(
      work,
      {
        signal: never,
        isCancelled: () => true,
        report: async (_percent, message) => void steps.push(message),
      },
      clock,
    );
    expect([state.percent, clock.now(), steps]).toEqual([100, 30_000, ['step 0', 'step 1']]);
  });

  it('cancels the work of a cancelled call', async () => {
    const call = new AbortController();
    const { work, clock, cancel } = workOf(3_600_000, { onPause: () => call.abort() });
    await expect(
      waitFor(work, { signal: call.signal, isCancelled: () => true, report }, clock),
    ).rejects.toThrow();
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it('leaves the work running if the service ends the call', async () => {
    const call = new AbortController();
    const { work, clock, cancel } = workOf(3_600_000, { onPause: () => call.abort() });
    const context = { signal: call.signal, isCancelled: () => false, report };
    await expect(waitFor(work, context, clock)).rejects.toThrow();
    expect(cancel).not.toHaveBeenCalled();
  });

  it('does not cancel the work if a look fails', async () => {
    const { work, clock, cancel } = workOf(3_600_000);
    const failing = { ...work, look: () => Promise.reject(new Error('away')) };
    await expect(
      waitFor(failing, { signal: never, isCancelled: () => true, report }, clock),
    ).rejects.toThrow('away');
    expect(cancel).not.toHaveBeenCalled();
  });
});
