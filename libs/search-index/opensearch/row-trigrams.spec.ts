import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { allOf, foldText, oneOf, type RequiredText } from '#contracts/content/required-text';

import { trigramCondition } from '../pack/trigrams/trigram-condition.js';
import {
  clausesOf,
  type RowCondition,
  rowCondition,
  trigramTerms,
  type TrigramText,
  widened,
} from './row-trigrams.js';

type Clause =
  | { readonly term: { readonly trigrams: string } }
  | { readonly exists: object }
  | {
      readonly bool: {
        readonly filter?: readonly Clause[];
        readonly should?: readonly Clause[];
        readonly must_not?: readonly Clause[];
      };
    };

/** Decides as the server does. @param row its terms; undefined for a row without the field. */
function meets(row: ReadonlySet<string> | undefined, clause: Clause): boolean {
  if ('term' in clause) return row?.has(clause.term.trigrams) ?? false;
  if ('exists' in clause) return row !== undefined;
  const { filter = [], should, must_not = [] } = clause.bool;
  return (
    filter.every((each) => meets(row, each)) &&
    (should?.some((each) => meets(row, each)) ?? true) &&
    !must_not.some((each) => meets(row, each))
  );
}

const text = (value: string): RequiredText => ({ kind: 'text', text: foldText(value) });
const rowOf = (chunk: TrigramText) => new Set(trigramTerms(chunk).split(' '));
const conditionOf = (required: RequiredText) => rowCondition(trigramCondition(required));

type Rows = readonly (ReadonlySet<string> | undefined)[];

function holds(rows: Rows, condition: RowCondition): boolean {
  switch (condition.kind) {
    case 'any':
      return true;
    case 'rows':
      return rows.some((row) => meets(row, condition.clause as Clause));
    case 'and':
      return condition.parts.every((part) => holds(rows, part));
    case 'or':
      return condition.parts.some((part) => holds(rows, part));
  }
}

const isOfInterest = (rows: Rows, required: RequiredText) => holds(rows, conditionOf(required));

describe('trigrams of rows', () => {
  const first = rowOf({ content: 'const TIMEOUT_MS = 5;', ordinal: 0, start_line: 1, before: '' });
  const second = rowOf({
    content: 'function retry() {\n}',
    ordinal: 1,
    start_line: 3,
    before: '\n\n',
  });

  it('find a text in any case, and exclude documents without it', () => {
    expect(isOfInterest([first, second], text('timeout_ms'))).toBe(true);
    expect(isOfInterest([first, second], text('backoff'))).toBe(false);
    expect(isOfInterest([first, second], text('ab'))).toBe(true);
  });

  it('find texts in different rows, and one of several texts', () => {
    expect(isOfInterest([first, second], allOf([text('TIMEOUT'), text('retry')]))).toBe(true);
    expect(isOfInterest([first], allOf([text('TIMEOUT'), text('retry')]))).toBe(false);
    expect(isOfInterest([first], oneOf([text('retry'), text('TIMEOUT')]))).toBe(true);
    expect(isOfInterest([first], oneOf([text('retry'), text('backoff')]))).toBe(false);
    const nested = oneOf([allOf([text('retry'), text('TIMEOUT')]), text('backoff')]);
    expect(isOfInterest([first, second], nested)).toBe(true);
    expect(isOfInterest([first], nested)).toBe(false);
    expect(isOfInterest([second], nested)).toBe(false);
    expect(clausesOf(conditionOf(nested))).toHaveLength(3);
  });

  it('are fewer clauses in a wider condition, of the longest text of each choice', () => {
    const nested = oneOf([allOf([text('retry'), text('TIMEOUT_MS')]), text('backoff')]);
    const wide = widened(conditionOf(nested));
    expect(clausesOf(wide)).toHaveLength(1);
    expect(holds([first], wide)).toBe(true);
    expect(holds([second], wide)).toBe(false);
    expect(widened(conditionOf(oneOf([nested, text('ab')])))).toEqual({ kind: 'any' });
  });

  it('exclude no document with a row of an earlier version', () => {
    expect(isOfInterest([second, undefined], text('backoff'))).toBe(true);
  });

  it('find every text of a line, also where a cut divides it', () => {
    const characters = fc.constantFrom('a', 'B', 'ß', 'K', ' ', '_', 'é', '日');
    const line = fc.string({ unit: characters, minLength: 1, maxLength: 12 });
    const document = fc.array(line, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(document, fc.nat(), fc.nat(), fc.integer({ min: 3, max: 8 }), (lines, ...at) => {
        const [cut, start, length] = at;
        const rows = lines.flatMap((whole, index) => {
          const place = { start_line: index + 1 };
          const middle = cut % (whole.length + 1);
          const pieces = [whole.slice(0, middle), whole.slice(middle)].filter(Boolean);
          return pieces.map((content, piece) =>
            rowOf({
              ...place,
              content,
              ordinal: index + piece,
              before: piece > 0 || index === 0 ? '' : '\n',
            }),
          );
        });
        const chosen = lines[cut % lines.length] ?? '';
        const from = start % chosen.length;
        const wanted = chosen.slice(from, from + length);
        expect(isOfInterest(rows, text(wanted))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
