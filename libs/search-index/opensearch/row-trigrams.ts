import { foldText } from '#contracts/content/required-text';

import type { TrigramCondition } from '../pack/trigrams/trigram-condition.js';
import { eachTrigram } from '../pack/trigrams/trigram-keys.js';

/** The field of the trigrams of a row; missing in rows that an earlier version wrote. */
export const TRIGRAMS_FIELD = 'trigrams';
/** Mapping of the field: its terms are searched, and nothing else is stored. */
export const TRIGRAMS = {
  type: 'text',
  analyzer: 'whitespace',
  index_options: 'docs',
  norms: false,
};

/** Term of a row that continues a line of the row before it. */
const CONTINUES = '~';
const RADIX = 36;

/** The part of a chunk that its trigrams depend on. */
export interface TrigramText {
  readonly content: string;
  readonly ordinal: number;
  readonly start_line?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * Returns the terms of a row: each trigram of its folded text once, with the white space around it.
 * A line that was too long for one chunk may have a text on both sides of a cut. So each piece of
 * it but the first has a term that meets every condition.
 */
export function trigramTerms(chunk: TrigramText): string {
  const { content, before = '', after = '' } = chunk;
  const keys = new Set<number>();
  eachTrigram(foldText(`${before}${content}${after}`), (key) => keys.add(key));
  const terms = Array.from(keys, (key) => key.toString(RADIX));
  if (continuesLine(chunk)) terms.push(CONTINUES);
  return terms.join(' ');
}

/** Returns whether the chunk may begin within a line: then it is a piece of that line. */
function continuesLine({ content, ordinal, start_line, before }: TrigramText): boolean {
  if (ordinal === 0 || start_line === undefined || content.includes('\n')) return false;
  return !before?.includes('\n');
}

/** A condition on the rows of a document. */
export type RowCondition =
  | { readonly kind: 'any' }
  /** One of its rows meets the clause. */
  | { readonly kind: 'rows'; readonly clause: object; readonly trigrams: number }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly RowCondition[] };

/**
 * Returns the condition that a document of interest meets by its rows. Rows without the field meet
 * each clause.
 */
export function rowCondition(condition: TrigramCondition): RowCondition {
  switch (condition.kind) {
    case 'any':
      return condition;
    case 'all': {
      const filter = Array.from(condition.keys, (key) => has(key.toString(RADIX)));
      return { kind: 'rows', clause: orUnknown({ bool: { filter } }), trigrams: filter.length };
    }
    case 'and':
      return joined('and', condition.parts.map(rowCondition));
    case 'or':
      return oneOfRows(condition.parts.map(rowCondition));
  }
}

/** Returns a condition of at most one clause that every document with the given condition meets. */
export function widened(condition: RowCondition): RowCondition {
  if (condition.kind === 'or') return oneOfRows(condition.parts.map(widened));
  if (condition.kind !== 'and') return condition;
  const parts = condition.parts.map(widened);
  return parts.reduce((best, next) => (trigramsOf(next) > trigramsOf(best) ? next : best));
}

/** Returns the clauses that decide a condition. */
export function clausesOf(condition: RowCondition): readonly object[] {
  if (condition.kind === 'any') return [];
  if (condition.kind === 'rows') return [condition.clause];
  return condition.parts.flatMap(clausesOf);
}

function trigramsOf(condition: RowCondition): number {
  return condition.kind === 'rows' ? condition.trigrams : 0;
}

function joined(kind: 'and' | 'or', parts: readonly RowCondition[]): RowCondition {
  const known = parts.filter((part) => part.kind !== 'any');
  if (known.length === 0) return { kind: 'any' };
  return known.length === 1 ? (known[0] as RowCondition) : { kind, parts: known };
}

/** Returns the condition that one of the parts sets; as one clause if each part is one. */
function oneOfRows(parts: readonly RowCondition[]): RowCondition {
  if (parts.some(({ kind }) => kind === 'any')) return { kind: 'any' };
  const rows = parts.flatMap((part) => (part.kind === 'rows' ? [part] : []));
  if (rows.length < parts.length) return joined('or', parts);
  const clause = anyClause(rows.map(({ clause }) => clause));
  return { kind: 'rows', clause, trigrams: Math.min(...rows.map(({ trigrams }) => trigrams)) };
}

function orUnknown(clause: object): object {
  const unknown = { bool: { must_not: [{ exists: { field: TRIGRAMS_FIELD } }] } };
  return anyClause([clause, has(CONTINUES), unknown]);
}

function has(term: string): object {
  return { term: { [TRIGRAMS_FIELD]: term } };
}

function anyClause(should: readonly object[]): object {
  return { bool: { should, minimum_should_match: 1 } };
}
