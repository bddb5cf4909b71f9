import type { LogBinding, LogId } from '#platform';

import type { StoreName } from './stores.js';

/**
 * Relation of a store to a log. `same`: it belongs to it. `new`: never bound and empty. `unbound`:
 * never bound and not empty, as older versions left it. `foreign`: it belongs to another log.
 */
export type StoreState = 'same' | 'new' | 'unbound' | 'foreign';

/** The binding of a store, as stored in it. */
export interface StoreStanding {
  readonly store: StoreName;
  readonly boundTo: LogId | null;
  /** Read only for an unbound store. */
  readonly isEmpty: boolean;
}

export interface ClassifiedStore extends StoreStanding {
  readonly state: StoreState;
}

/** A log and its stores, as they were read. */
export interface Standing {
  /** Null for a log without events. */
  readonly log: LogId | null;
  readonly stores: readonly ClassifiedStore[];
  /**
   * The stores that prevent a service from starting here without loss or a mix of two services;
   * empty if it may start.
   */
  readonly refused: readonly ClassifiedStore[];
}

/**
 * Applies the rule of one log and one service. With events in the log, every store must belong to
 * it or be unbound. An unbound one is then bound: an empty one is new or was restored empty,
 * another one is from an older version. Without events in the log, every store must be empty: other
 * content was made from a lost or different log.
 */
export function classify(log: LogId | null, standings: readonly StoreStanding[]): Standing {
  const stores = standings.map((standing) => ({ ...standing, state: stateOf(log, standing) }));
  const allowed: readonly StoreState[] = log === null ? ['new'] : ['same', 'new', 'unbound'];
  return { log, stores, refused: stores.filter(({ state }) => !allowed.includes(state)) };
}

/** Reads the binding of a store. */
export async function readStanding(store: StoreName, binding: LogBinding): Promise<StoreStanding> {
  const boundTo = await binding.boundTo();
  return { store, boundTo, isEmpty: boundTo === null && (await binding.isEmpty()) };
}

function stateOf(log: LogId | null, { boundTo, isEmpty }: StoreStanding): StoreState {
  if (boundTo !== null) return boundTo === log ? 'same' : 'foreign';
  return isEmpty ? 'new' : 'unbound';
}
