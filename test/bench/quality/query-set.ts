import type { ParsedDocument } from '#ingest';

import type { LabeledQuery } from './labels.js';

/** A repository at one revision with queries whose answers are known. */
export interface QuerySet {
  readonly name: string;
  readonly revision: string;
  readonly queries: readonly LabeledQuery[];
  /**
   * The documents to index. They are read when the turn of the repository comes, so that one
   * repository is in memory at a time.
   */
  readonly documents: () => readonly ParsedDocument[];
}

/** At most `limit` of them, the same ones each time, drawn over all of them. */
export function sample<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  return Array.from(
    { length: limit },
    (_, at) => items[Math.floor((at * items.length) / limit)] as T,
  );
}
