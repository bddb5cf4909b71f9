import { describe, expect, it } from '@jest/globals';

import type { Evidence } from '#models';

import { checkSupport } from './answer-support.js';

const EVIDENCE: readonly Evidence[] = [
  {
    path: 'a.ts',
    startLine: 5,
    symbol: 'evict',
    content: '/** Evicts. Oldest\n * first! */\nevict(cache) {\n}',
  },
  {
    path: 'docs/b.md',
    startLine: 1,
    symbol: 'Cache > Age',
    content: 'By age.\n\n- Holds one `entry`.\nIt is small.',
  },
];
const SOUND = [
  'The likeliest place is `evict` in `a.ts:5-8` [1]:',
  '',
  '> Evicts. Oldest first!',
  '',
  '```',
  'evict(cache) {',
  '```',
  '',
  'Less likely, but worth a look:',
  '',
  '- “Cache > Age” in `docs/b.md:1-4` [2]: By age. … It is small.',
];

describe('checkSupport', () => {
  it('finds each sentence and line of a sound answer in the evidence that its mark cites', () => {
    expect(checkSupport(SOUND.join('\n'), EVIDENCE)).toEqual({ sentences: 8, unsupported: [] });
  });

  it('takes brackets in a line of code for code', () => {
    const evidence = [{ path: 'a.scala', startLine: 1, content: 'def a[M[_]: Monad](b: M[1]): c' }];
    expect(
      checkSupport('- `a.scala:1` [1]: `def a[M[_]: Monad](b: M[1]): c`', evidence).unsupported,
    ).toEqual([]);
  });

  it.each([
    [
      'a sentence that the cited passage does not have',
      2,
      '> Evicts. Newest first!',
      'Newest first!',
    ],
    ['a sentence of another passage', 2, '> It is small.', 'It is small.'],
    ['a sentence sewn from two', 10, '- `docs/b.md:1-4` [2]: By age. It small.', 'It small.'],
    ['a line that is not one of its lines', 5, 'evict(cache) { return;', 'evict(cache) { return;'],
    ['a file that is not its file', 0, 'See `b.ts:5-8` [1]:', 'See `b.ts:5-8` [1]:'],
    ['lines beyond its lines', 0, 'See `a.ts:5-9` [1]:', 'See `a.ts:5-9` [1]:'],
    [
      'a definition that no evidence names',
      0,
      'See `shrink` in `a.ts:5-8` [1]:',
      'See `shrink` in `a.ts:5-8` [1]:',
    ],
    ['a mark that stands for nothing', 8, 'See also [3]:', 'See also [3]:'],
    ['a name without a mark', 8, 'See also `c.ts`:', 'See also `c.ts`:'],
  ])('tells %s', (_, at, line, reported) => {
    expect(checkSupport(SOUND.with(at, line).join('\n'), EVIDENCE).unsupported).toEqual([reported]);
  });
});
