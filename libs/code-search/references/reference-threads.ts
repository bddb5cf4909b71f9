import { BudgetedThreads } from '../threads/budgeted-threads.js';
import type { ReferenceAnswer, ReferenceRequest } from './reference-protocol.js';

/** Threads that parse files for references. Grammars load with the first file of a language. */
export class ReferenceThreads extends BudgetedThreads<ReferenceRequest, ReferenceAnswer> {
  /** @param count of threads; each starts with the first batch that needs it. */
  constructor(count: number) {
    super({ count, entry: new URL('./reference.worker.js', import.meta.url), name: 'references' });
  }
}
