import type { Expectation } from './log-protocol.js';

export type AppendVerdict =
  | { readonly kind: 'write'; readonly next: number }
  /** The same events are already stored; `revision` is that of the last one. */
  | { readonly kind: 'already-written'; readonly revision: number }
  | { readonly kind: 'conflict'; readonly actual: number | null }
  | { readonly kind: 'corrupted' };

/** The information about the stream that the rules need. */
export interface StreamView {
  /** Revision of the last event, null for an empty stream. */
  readonly last: number | null;
  /** Ids of the events from `revision` on, at most `count`, in order. */
  idsFrom(revision: number, count: number): readonly string[];
  /**
   * Revision of a recently appended event of this stream. The memory is bounded, so undefined
   * proves nothing.
   */
  recentRevision(id: string): number | undefined;
}

/**
 * Applies the rules of an append. An exact expectation is checked against the log itself, so a
 * retry is always recognized. `any` and `exists` know only the ids of recent appends.
 */
export function checkAppend(
  expected: Expectation,
  ids: readonly string[],
  view: StreamView,
): AppendVerdict {
  const next = (view.last ?? -1) + 1;
  if (expected === 'any' || expected === 'exists') {
    if (expected === 'exists' && view.last === null) return { kind: 'conflict', actual: null };
    const first = view.recentRevision(ids[0] ?? '');
    return first === undefined ? { kind: 'write', next } : compareFrom(first, ids, view);
  }
  const wanted = expected === 'none' ? 0 : expected + 1;
  if (wanted === next) return { kind: 'write', next };
  if (wanted > next) return { kind: 'conflict', actual: view.last };
  return compareFrom(wanted, ids, view);
}

function compareFrom(revision: number, ids: readonly string[], view: StreamView): AppendVerdict {
  const stored = view.idsFrom(revision, ids.length);
  if (stored[0] !== ids[0]) return { kind: 'conflict', actual: view.last };
  const same = ids.every((id, index) => id === stored[index]);
  return same
    ? { kind: 'already-written', revision: revision + ids.length - 1 }
    : { kind: 'corrupted' };
}
