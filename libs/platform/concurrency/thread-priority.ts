import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Lets other threads of the process go first when processors are short. Only Linux has a priority
 * for each thread; elsewhere, and where the system refuses, nothing changes.
 */
export function yieldToOthers(): void {
  if (isMainThread || process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without it, searches are slower at the same time, not wrong.
  }
}
