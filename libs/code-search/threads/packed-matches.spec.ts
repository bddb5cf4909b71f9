import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { MatchedDocument } from '../match/match-documents.js';
import { packMatches, unpackMatches } from './packed-matches.js';

const texts = fc.array(fc.string({ unit: 'binary', maxLength: 5 }), { maxLength: 3 });
const line = fc.record({
  number: fc.nat(),
  piece: fc.option(fc.nat(), { nil: undefined }),
  clipped: fc.boolean(),
  ranges: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
  text: fc.string({ unit: 'binary', maxLength: 9 }),
  before: texts,
  after: texts,
});
const documents = fc.array(
  fc.record({ index: fc.nat(), lines: fc.array(line, { maxLength: 4 }) }),
) as fc.Arbitrary<readonly MatchedDocument[]>;

describe('packed matches', () => {
  it('hold every field of any lines', () => {
    fc.assert(
      fc.property(documents, (some) => {
        expect(unpackMatches(packMatches(some))).toEqual(some);
      }),
    );
  });
});
