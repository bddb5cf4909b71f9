import { setTimeout as delay } from 'node:timers/promises';

import type { ToolContext } from '../tool.types.js';

/** Clients give up a call after 60 s; a handle is returned before. */
const LONGEST_WAIT_MS = 45_000;
const PAUSE_MS = 300;

/** Work that goes on in the service. */
export interface LongWork<View> {
  readonly look: () => Promise<View>;
  readonly isOver: (view: View) => boolean;
  readonly progressOf: (view: View) => { readonly percent: number; readonly message: string };
  /** Stops the work, when the client cancels the call. */
  readonly cancel: () => Promise<unknown>;
}

/** Time as a wait sees it. */
export interface WaitClock {
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  /** Rejects as soon as the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

const REAL_CLOCK: WaitClock = {
  now: () => performance.now(),
  pause: (ms, signal) => delay(ms, undefined, { signal }),
};

/**
 * Waits until the work is over, at most 45 s, and reports its progress. Returns its last state.
 * A cancelled call cancels the work; a call that the service ends leaves it running.
 */
export async function waitFor<View>(
  { look, isOver, progressOf, cancel }: LongWork<View>,
  { signal, isCancelled, report }: Pick<ToolContext, 'signal' | 'isCancelled' | 'report'>,
  clock: WaitClock = REAL_CLOCK,
): Promise<View> {
  const end = clock.now() + LONGEST_WAIT_MS;
  let reported = '';
  try {
    for (;;) {
      const view = await look();
      signal.throwIfAborted();
      if (isOver(view) || clock.now() > end) return view;
      const { percent, message } = progressOf(view);
      if (message !== reported) await report(percent, message);
      reported = message;
      await clock.pause(PAUSE_MS, signal);
    }
  } catch (error) {
    if (signal.aborted && isCancelled()) await cancel();
    throw error;
  }
}
