import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { analyze } from '../analysis/analyze.js';
import { analyzeQuery } from '../analysis/analyze-query.js';
import { bestWindow, WindowFinder } from './best-window.js';
import { TermsByLine } from './terms-by-line.js';

const WORDS = [
  'policy',
  'policies',
  'parsePolicies',
  'lease',
  'leases',
  'leased',
  'LEASE_MS',
  'releases',
  'stopping',
  'stop',
  '2lease',
  'classes',
  'http2',
  'y',
  'réponse',
  'ｌｅａｓｅ',
  '租约',
  '$lease',
  'a'.repeat(45) + 'lease',
];

/** The distinct terms of each line of a text. */
const termsIn = (text: string, terms: readonly string[]): string[][] => {
  const lines = text.split('\n').map((): string[] => []);
  const found = new TermsByLine(terms).read(text);
  for (const [at, line] of found.lines.entries())
    lines[line] = (found.terms[at] ?? []).map((term) => terms[term] ?? '');
  return lines;
};

const inFull = (text: string, terms: readonly string[]): Set<string>[] =>
  text.split('\n').map((line) => new Set(analyze(line).filter((term) => terms.includes(term))));

/** Reads the line once for each term, in the order that windows add up terms. */
const byBeginning = (line: string, terms: readonly string[]): string[] => {
  const found = terms.flatMap((term) => {
    const beginning = term.length > 1 && term.endsWith('y') ? term.slice(0, -1) : term;
    const words = line.match(/[\w$]+/g) ?? [];
    const bearing = words.filter((word) => word.toLowerCase().includes(beginning));
    return bearing.flatMap((word) => analyze(word).filter((each) => terms.includes(each)));
  });
  return [...new Set(found)];
};

const word = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 6 }));
const separator = fc.constantFrom(' ', '\n', '.', '', '-', '"');
const text = (one: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(one, separator), { maxLength: 60 }).map((pieces) => pieces.flat().join(''));
const termsOf = (words: fc.Arbitrary<string>, maxLength = 6) =>
  fc.array(words, { minLength: 1, maxLength }).map((some) => analyzeQuery(some.join(' ')).terms);

describe('terms by line', () => {
  it('lists the same terms of each line as a full analysis', () => {
    fc.assert(
      fc.property(termsOf(word), text(word), (terms, passage) => {
        expect(termsIn(passage, terms).map((line) => new Set(line))).toEqual(
          inFull(passage, terms),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('orders the terms of a line by the beginnings that their words contain', () => {
    const ascii = fc.oneof(
      fc.constantFrom('leaseStop', 'stop_lease_policy', 'policies', 'releases', 'stop', 'last'),
      fc.string({ unit: fc.constantFrom('a', 'B', '1', '_', 'y'), maxLength: 4 }),
    );
    fc.assert(
      fc.property(termsOf(ascii, 40), text(ascii), (terms, passage) => {
        expect(termsIn(passage, terms)).toEqual(
          passage.split('\n').map((line) => byBeginning(line, terms)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('finds stems, parts of identifiers, singular and plural', () => {
    const { terms } = analyzeQuery('which policy stops a lease');
    expect(termsIn('parsePolicies(\nstopping 2 LEASES\nplease', terms)).toEqual([
      ['policy'],
      ['stop', 'leas'],
      [],
    ]);
  });

  it('forgets the beginning of a text beyond ASCII', () => {
    const reader = new TermsByLine(['leas', 'stop']);
    expect(reader.read('lease stop é\nstop')).toEqual({ lines: [0, 1], terms: [[0, 1], [1]] });
    expect(reader.read('lease')).toEqual({ lines: [0], terms: [[0]] });
  });

  it('reads a line of a million equal beginnings once', () => {
    expect(new TermsByLine(['leas']).read('lease'.repeat(200_000))).toEqual({
      lines: [],
      terms: [],
    });
  });
});

describe('WindowFinder', () => {
  it('finds the windows of the full lists of lines, with equal sums', () => {
    const weights = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 64,
      maxLength: 64,
    });
    fc.assert(
      fc.property(
        termsOf(word, 20),
        fc.array(text(word), { maxLength: 3 }),
        weights,
        (...given) => {
          const [terms, passages, some] = given;
          const wanted = new Map(terms.map((term, at) => [term, some[at] ?? 0]));
          const finder = new WindowFinder(some.slice(0, terms.length));
          const reader = new TermsByLine(terms);
          for (const passage of passages)
            expect(finder.best(reader.read(passage))).toEqual(
              bestWindow(termsIn(passage, terms), 0, wanted),
            );
        },
      ),
    );
  });
});
