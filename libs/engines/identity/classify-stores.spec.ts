import { describe, expect, it } from '@jest/globals';

import type { LogId } from '#platform';

import { classify, type StoreStanding, type StoreState } from './classify-stores.js';

const OURS = '0190b5e4-7b1d-5000-8000-00000000000a' as LogId;
const THEIRS = '0190b5e4-7b1d-5000-8000-00000000000b' as LogId;

/** All possible states of a log and one store, and the result. */
const RULES: readonly {
  readonly log: LogId | null;
  readonly boundTo: LogId | null;
  readonly isEmpty: boolean;
  readonly state: StoreState;
  readonly starts: boolean;
}[] = [
  { log: OURS, boundTo: OURS, isEmpty: false, state: 'same', starts: true },
  { log: OURS, boundTo: null, isEmpty: true, state: 'new', starts: true },
  { log: OURS, boundTo: null, isEmpty: false, state: 'unbound', starts: true },
  { log: OURS, boundTo: THEIRS, isEmpty: false, state: 'foreign', starts: false },
  { log: null, boundTo: null, isEmpty: true, state: 'new', starts: true },
  { log: null, boundTo: null, isEmpty: false, state: 'unbound', starts: false },
  { log: null, boundTo: OURS, isEmpty: false, state: 'foreign', starts: false },
];

const standing = (store: StoreStanding['store'], rule: (typeof RULES)[number]): StoreStanding => ({
  store,
  boundTo: rule.boundTo,
  isEmpty: rule.isEmpty,
});

describe('one log and one service', () => {
  it.each(RULES)(
    'classifies a store bound to $boundTo (empty: $isEmpty) with log $log as $state',
    (rule) => {
      const { stores, refused } = classify(rule.log, [standing('blobs', rule)]);
      expect(stores.map(({ state }) => state)).toEqual([rule.state]);
      expect(refused.length === 0).toBe(rule.starts);
    },
  );

  it('starts if every store is allowed, and names each store that is not, in every combination of three', () => {
    for (const log of [OURS, null]) {
      const rules = RULES.filter((rule) => rule.log === log);
      for (const first of rules) {
        for (const second of rules) {
          for (const third of rules) {
            const all = [
              standing('readModel', first),
              standing('blobs', second),
              standing('queue', third),
            ];
            const wrong = [first, second, third].flatMap(({ starts }, at) =>
              starts ? [] : [all[at]?.store],
            );
            expect(classify(log, all).refused.map(({ store }) => store)).toEqual(wrong);
          }
        }
      }
    }
  });
});
