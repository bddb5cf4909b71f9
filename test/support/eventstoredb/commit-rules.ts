/** The expectation of an append on its stream; a number is an exact revision. */
export type Expected = 'none' | 'exists' | 'any' | number;

/** The facts of a stream that the rules need. */
export interface StreamFacts {
  /** Revision of the last event ever written, -1 for none. */
  readonly last: number;
  /** Soft-deleted and not written to since. */
  readonly deleted: boolean;
  readonly tombstoned: boolean;
  /** Id of the event at a revision. */
  idAt(revision: number): string | undefined;
  /** Revision of an event appended not long ago, by its id. */
  recentRevision(id: string): number | undefined;
}

export type Verdict =
  | { readonly kind: 'write' }
  /** These events stand already; `revision` is that of the last. */
  | { readonly kind: 'already-written'; readonly revision: number }
  /** `actual` is null for a stream without events. */
  | { readonly kind: 'conflict'; readonly actual: number | null }
  | { readonly kind: 'deleted' };

/**
 * Checks an append by the commit rules of EventStoreDB. An exact expectation is checked against the
 * log itself, so that a retry is recognized for ever. `any` and `exists` know only recent ids. The
 * same first id with another rest is answered as a conflict.
 */
export function checkCommit(
  expected: Expected,
  ids: readonly string[],
  stream: StreamFacts,
): Verdict {
  if (stream.tombstoned) return { kind: 'deleted' };
  const conflict: Verdict = { kind: 'conflict', actual: stream.last < 0 ? null : stream.last };
  if (expected === 'any' || expected === 'exists') {
    if (expected === 'exists' && stream.deleted) return { kind: 'deleted' };
    if (expected === 'exists' && stream.last < 0) return conflict;
    const first = stream.recentRevision(ids[0] ?? '');
    if (first === undefined) return { kind: 'write' };
    return repeated(first, ids, stream) ?? conflict;
  }
  const wanted = expected === 'none' ? 0 : expected + 1;
  if (wanted === stream.last + 1) return { kind: 'write' };
  if (wanted > stream.last + 1) return conflict;
  return (
    repeated(wanted, ids, stream) ??
    (expected === 'none' && stream.deleted ? { kind: 'write' } : conflict)
  );
}

function repeated(first: number, ids: readonly string[], stream: StreamFacts): Verdict | null {
  if (!ids.every((id, index) => stream.idAt(first + index) === id)) return null;
  return { kind: 'already-written', revision: first + ids.length - 1 };
}
