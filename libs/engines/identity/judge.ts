import type { LogBinding, LogId } from '#platform';

import type { StoreName } from './stores.js';

/**
 * What a store is to a log: `same`, it belongs to it; `new`, never bound and empty; `unbound`,
 * never bound and not empty, as versions left it that bound nothing; `foreign`, it belongs to
 * another log.
 */
export type StoreState = 'same' | 'new' | 'unbound' | 'foreign';

/** What a store says of itself. */
export interface StoreStanding {
  readonly store: StoreName;
  readonly boundTo: LogId | null;
  /** Only asked of a store that is bound to nothing. */
  readonly isEmpty: boolean;
}

export interface JudgedStore extends StoreStanding {
  readonly state: StoreState;
}

/** A log and the stores beside it, as they were read. */
export interface Standing {
  /** Null for a log without any event. */
  readonly log: LogId | null;
  readonly stores: readonly JudgedStore[];
  /**
   * The stores that keep a service from working here without loss and without mixing two services;
   * none: it may.
   */
  readonly refused: readonly JudgedStore[];
}

/**
 * The rule of one log and one service. Beside a log with events every store must belong to it, or
 * belong to nobody yet: such a one is bound, the empty because it was put back empty or is new, the
 * other because an older version made it. Beside a log without events there must be nothing: what
 * is there was made from a log that is gone or is another.
 */
export function judge(log: LogId | null, standings: readonly StoreStanding[]): Standing {
  const stores = standings.map((standing) => ({ ...standing, state: stateOf(log, standing) }));
  const allowed: readonly StoreState[] = log === null ? ['new'] : ['same', 'new', 'unbound'];
  return { log, stores, refused: stores.filter(({ state }) => !allowed.includes(state)) };
}

/** Reads what a store says of itself. */
export async function readStanding(store: StoreName, binding: LogBinding): Promise<StoreStanding> {
  const boundTo = await binding.boundTo();
  return { store, boundTo, isEmpty: boundTo === null && (await binding.isEmpty()) };
}

function stateOf(log: LogId | null, { boundTo, isEmpty }: StoreStanding): StoreState {
  if (boundTo !== null) return boundTo === log ? 'same' : 'foreign';
  return isEmpty ? 'new' : 'unbound';
}
