import { describe, expect, it } from '@jest/globals';

import { namedPlaces } from './named-places.js';

describe('the places that a query names', () => {
  it.each([
    'Why does the test function of the console not assert anything?',
    'which test-cases cover the parser',
    'the Test Class that validates columns',
    'what does test_module import',
  ])('are tests in "%s"', (text) => {
    expect(namedPlaces(text).tests).toBe(true);
  });

  it.each([
    'let my tests skip over long sleeps without really waiting',
    'how do I run the tests',
    'the latest function of the module',
    'test the function that parses dates',
    'where is the contest class',
  ])('are no tests in "%s"', (text) => {
    expect(namedPlaces(text).tests).toBe(false);
  });

  it.each(['tests/**', 'src/**/*.test.ts', '**/*_test.go', '{src,spec}/**', 'src/test/java/**'])(
    'are tests with the path filter %s',
    (pattern) => {
      expect(namedPlaces('pool', [pattern]).tests).toBe(true);
    },
  );

  it.each(['src/**', 'src/latest/**', 'docs/contests.md', '**/inspector/*.rb'])(
    'are no tests with the path filter %s',
    (pattern) => {
      expect(namedPlaces('pool', [pattern]).tests).toBe(false);
    },
  );

  it('are also the words of query and filters', () => {
    const { words } = namedPlaces('Where does Lua close?', ['third_party/zlib/**']);
    expect(words).toEqual(new Set(['where', 'does', 'lua', 'close', 'third_party', 'zlib']));
  });
});
