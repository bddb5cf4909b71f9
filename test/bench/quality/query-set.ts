import type { ParsedDocument } from '#ingest';

import type { LabelledQuery } from './labels.js';

/** A repository at one revision with queries whose answers are known. */
export interface QuerySet {
  readonly name: string;
  readonly revision: string;
  readonly queries: readonly LabelledQuery[];
  /** What is indexed; read when the repository's turn comes, so that one is in memory at a time. */
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
