import { TimeoutError, withTimeout } from '../clock/sleep.js';

/** What one check of a process found. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What is wrong, or how far it is. */
  readonly detail?: string;
}

/** Says why it is not ok as a sentence, or how far it is as a note; throws when it fails. */
export type Probe = () => Promise<string | { readonly note: string } | undefined | void>;

const CHECK_TIMEOUT_MS = 2_000;

/**
 * Runs one check under a time limit of two seconds. What failed inside is not shown: it may name
 * hosts.
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
