import type { LeaseHolder } from './lease.port.js';

/**
 * Returns leases for a data folder with one owner process: each caller holds them until its own
 * signal aborts.
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
