import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

import type { Logger } from '../logging/logger.js';

/** Longer than a compilation of one function takes. */
const SETTLE_MS = 50;

/**
 * Ends this process with a code, as soon as V8's background compilations are over.
 *
 * `process.exit` by itself may wait for ever: it joins V8's threads, and one that compiles may wait
 * for a collection of garbage that only this thread can do
 * (https://github.com/nodejs/node/issues/54918). So no further compilation is put into the
 * background, and those that run end while this thread still serves them.
 */
export async function endProcess(code: number): Promise<never> {
  setFlagsFromString('--no-concurrent-recompilation');
  setFlagsFromString('--no-concurrent-sparkplug');
  await sleep(SETTLE_MS);
  process.exit(code);
}

/**
 * What to do when an engine inside this process is lost for good: says so in one line and ends the
 * process with code 1, so that its supervisor starts it anew. A process without the engine would be
 * alive and refuse everything for ever.
 * @param message what was lost, such as `The queue is lost; the process ends`
 */
export function endsProcess(
  logger: Pick<Logger, 'fatal'>,
  message: string,
): (error: Error) => void {
  return (error) => {
    logger.fatal({ err: error }, message);
    void endProcess(1);
  };
}
