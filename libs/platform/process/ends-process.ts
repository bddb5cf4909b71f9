import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

import type { Logger } from '../logging/logger.js';

/** Longer than the compilation of one function. */
const SETTLE_MS = 50;

/**
 * Ends this process with a code, as soon as V8's background compilations are over.
 *
 * `process.exit` alone may wait forever. It joins V8's threads, and a compiling one may wait for a
 * garbage collection that only this thread can do (https://github.com/nodejs/node/issues/54918). So
 * no further compilation goes to the background, and running ones end while this thread still
 * serves them.
 */
export async function endProcess(code: number): Promise<never> {
  setFlagsFromString('--no-concurrent-recompilation');
  setFlagsFromString('--no-concurrent-sparkplug');
  await sleep(SETTLE_MS);
  process.exit(code);
}

/**
 * Returns a handler for the permanent loss of an engine inside this process. It logs one line and
 * ends the process with code 1, so that its supervisor restarts it. Without the engine, the process
 * would reject everything forever.
 * @param message what was lost, such as `queue: the thread died; the process ends`.
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
