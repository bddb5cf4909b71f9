import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the measured process before its own program: writes the longest delay of its event
 * loop, each second.
 */
const file = process.env['LOOP_DELAY_FILE'];
if (file !== undefined && isMainThread) {
  const resolution = 5;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  setInterval(() => {
    const longest = Math.max(0, delays.max / 1e6 - resolution);
    if (delays.count > 0) appendFileSync(file, `${Date.now()} ${longest.toFixed(1)}\n`);
    delays.reset();
  }, 1_000).unref();
}
