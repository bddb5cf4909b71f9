import { countTexts, type RequiredText } from '#contracts/content/required-text';

import { eachTrigram } from './trigram-keys.js';

/** Trigrams of one text that are looked up; each further one excludes few documents. */
const MOST_LOOKUPS_OF_TEXT = 16;
/** Trigrams of a condition that are looked up: a few milliseconds of work. */
const MOST_LOOKUPS = 128;
/** A condition of more texts excludes nothing, because too few trigrams of each can be used. */
const MOST_TEXTS = 64;

/** The trigrams that a document must have to meet a condition. */
export type TrigramCondition =
  | { readonly kind: 'any' }
  /** All keys, which ascend. */
  | { readonly kind: 'all'; readonly keys: Uint32Array }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly TrigramCondition[] };

const ANY: TrigramCondition = { kind: 'any' };
const known = new WeakMap<RequiredText, TrigramCondition>();

/**
 * Returns the trigrams to look up for a condition. They are computed once, because a search looks
 * the same condition up in thousands of packs.
 */
export function trigramCondition(required: RequiredText): TrigramCondition {
  const before = known.get(required);
  if (before) return before;
  const texts = countTexts(required);
  const lookups = Math.min(MOST_LOOKUPS_OF_TEXT, Math.floor(MOST_LOOKUPS / texts));
  const condition = texts > MOST_TEXTS ? ANY : conditionOf(required, lookups);
  known.set(required, condition);
  return condition;
}

function conditionOf(required: RequiredText, lookups: number): TrigramCondition {
  switch (required.kind) {
    case 'any':
      return ANY;
    case 'text':
      return textCondition(required.text, lookups);
    default: {
      const parts = required.parts.map((part) => conditionOf(part, lookups));
      return { kind: required.kind, parts };
    }
  }
}

function textCondition(text: string, lookups: number): TrigramCondition {
  const all: number[] = [];
  eachTrigram(text, (key) => all.push(key));
  if (all.length === 0) return ANY;
  const step = Math.max(1, all.length / lookups);
  const keys = new Set<number>();
  for (let at = 0; at < all.length; at += step) keys.add(all[Math.floor(at)] as number);
  return { kind: 'all', keys: Uint32Array.from(keys).sort() };
}
