import type { Logger } from '../logging/logger.js';
import { endProcess } from './end-process.js';

/**
 * What to do when an engine inside this process is lost for good: says so in one line and ends the process with code 1, so
 * that its supervisor starts it anew. A process without the engine would be alive and refuse everything for ever.
 * @param message what was lost, such as `The queue is lost; the process ends`
 */
export function endsProcess(logger: Pick<Logger, 'fatal'>, message: string): (error: Error) => void {
  return (error) => {
    logger.fatal({ err: error }, message);
    void endProcess(1);
  };
}
