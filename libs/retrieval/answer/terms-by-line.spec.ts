import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { analyze } from '../analysis/analyze.js';
import { analyzeQuery } from '../analysis/analyze-query.js';
import { termsByLine } from './terms-by-line.js';

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

const inFull = (text: string, terms: ReadonlySet<string>): Set<string>[] =>
  text.split('\n').map((line) => new Set(analyze(line).filter((term) => terms.has(term))));

describe('terms by line', () => {
  it('lists the same terms of each line as a full analysis', () => {
    const word = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 6 }));
    const separator = fc.constantFrom(' ', '\n', '.', '', '-', '"');
    const text = fc
      .array(fc.tuple(word, separator), { maxLength: 60 })
      .map((pieces) => pieces.flat().join(''));
    const query = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(query, text, (question, passage) => {
        const terms = new Set(analyzeQuery(question).terms);
        const lines = termsByLine(terms)(passage);
        expect(lines.map((line) => new Set(line))).toEqual(inFull(passage, terms));
      }),
      { numRuns: 500 },
    );
  });

  it('finds stems, parts of identifiers, singular and plural', () => {
    const terms = new Set(analyzeQuery('which policy stops a lease').terms);
    expect(termsByLine(terms)('parsePolicies(\nstopping 2 LEASES\nplease')).toEqual([
      ['policy'],
      ['stop', 'leas'],
      [],
    ]);
  });

  it('reads a line of a million equal beginnings once', () => {
    const terms = new Set(['leas']);
    expect(termsByLine(terms)('lease'.repeat(200_000))).toEqual([[]]);
  });
});
