import type { LeaseHolder } from './lease.port.js';

/**
 * Leases of a data folder that has one owner process: whoever asks holds them until its own signal
 * aborts.
 */
export function alwaysHeld(): LeaseHolder {
  return {
    soleProcess: true,
    async hold(_name, work, { signal }) {
      if (signal.aborted) return;
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  };
}
