import { expect, it } from '@jest/globals';

import { spellTerms } from './spell-terms.js';

it('spells a term in its most frequent form, and an identifier as its parts', () => {
  const words = new Map([
    ['retry', 3],
    ['Retries', 5],
    ['parseHTTPResponse', 2],
    ['retry_later', 4],
    ['größen', 1],
  ]);
  expect(
    spellTerms(
      ['retry', 'parsehttprespons', 'parsehttpresponse', 'respons', 'größen', 'unseen'],
      words,
    ),
  ).toEqual(['retry', 'parsehttprespons', 'parse http response', 'response', 'größen', 'unseen']);
  expect(spellTerms(['retry'], new Map([...words, ['retries', 3]]))).toEqual(['retries']);
});
