import { TimeoutError, withTimeout } from '../clock/sleep.js';

/** The result of one check of a process. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Reason of a failure, or a state of progress. */
  readonly detail?: string;
}

/**
 * Returns the reason of a failure as a sentence, or a state of progress as a note; throws if it
 * fails.
 */
export type Probe = () => Promise<string | { readonly note: string } | undefined | void>;

const CHECK_TIMEOUT_MS = 2_000;

/**
 * Runs one check with a timeout of two seconds. Internal errors are not shown, because they may
 * name hosts.
 */
export async function probe(name: string, work: Probe): Promise<HealthCheck> {
  try {
    const found = await withTimeout(work(), CHECK_TIMEOUT_MS, name);
    if (typeof found === 'string') return { name, ok: false, detail: found };
    return found ? { name, ok: true, detail: found.note } : { name, ok: true };
  } catch (error) {
    return {
      name,
      ok: false,
      detail: error instanceof TimeoutError ? 'does not answer' : 'answers with an error',
    };
  }
}
