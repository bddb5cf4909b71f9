import type { FileOccurrences, NamedFile } from './name-occurrence.js';

/** Files to parse for the identifiers with a name. */
export interface ReferenceRequest {
  readonly name: string;
  /** Each is in a language with a grammar. */
  readonly files: readonly NamedFile[];
  /** Milliseconds after which the thread begins no further file. */
  readonly budgetMs: number;
  /** Its first number is not 0 once nobody waits for the answer. */
  readonly stop: SharedArrayBuffer;
}

/** The occurrences in the first files of a request, as many as the budget allowed. */
export interface ReferenceAnswer {
  readonly kind: 'occurrences';
  readonly files: readonly FileOccurrences[];
}
