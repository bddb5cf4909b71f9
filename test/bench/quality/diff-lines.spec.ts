import { describe, expect, it } from '@jest/globals';

import { addedRanges, mapForward } from './diff-lines.js';

const DIFF = [
  'diff --git a/src/a.ts b/src/a.ts',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -2,0 +3,2 @@ export function f() {',
  '+one',
  '+@@ -1 +1 @@',
  '@@ -5 +7 @@',
  '-old',
  '+new',
  '@@ -9,2 +10,0 @@',
  '-gone',
  '-++ b/src/b.ts',
  'diff --git a/gone.ts b/gone.ts',
  '--- a/gone.ts',
  '+++ /dev/null',
  '@@ -1 +0,0 @@',
  '-gone',
].join('\n');

describe('lines of a diff', () => {
  it('returns added lines by file, also if they look like headers', () => {
    expect([...addedRanges(DIFF)]).toEqual([
      [
        'src/a.ts',
        [
          [3, 4],
          [7, 7],
        ],
      ],
    ]);
  });

  it('maps lines forward without changed and removed ones', () => {
    expect(mapForward([[1, 12]], DIFF, 'src/a.ts')).toEqual([
      [1, 2],
      [5, 6],
      [8, 12],
    ]);
    expect(mapForward([[4, 5]], DIFF, 'src/b.ts')).toEqual([[4, 5]]);
  });
});
