import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { plainGlob } from '#test/support/oracles/plain-glob';

import { compileGlob, selectPaths } from './glob.js';
import { GlobList } from './glob-list.js';
import { validateGlob, validateGlobList } from './glob-syntax.js';

/** [pattern, path, matches] */
const TABLE: readonly (readonly [string, string, boolean])[] = [
  ['*.md', 'README.md', true],
  ['*.md', 'docs/guide/a.md', true],
  ['*.md', 'a.mdx', false],
  ['*.md', 'notes.md/inside.txt', true],
  ['node_modules', 'node_modules/x/index.js', true],
  ['node_modules', 'packages/a/node_modules/x.js', true],
  ['node_modules', 'my_node_modules/x.js', false],
  ['build/', 'build', false],
  ['build/', 'build/a.js', true],
  ['build/', 'x/build/a/b.js', true],
  ['/README.md', 'README.md', true],
  ['/README.md', 'docs/README.md', false],
  ['/src', 'src/a/b.ts', true],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/a/b.ts', false],
  ['src/*.ts', 'x/src/a.ts', false],
  ['src/*', 'src/a', true],
  ['src/*', 'src/a/b', false],
  ['src/**', 'src', false],
  ['src/**', 'src/a', true],
  ['src/**', 'src/a/b/c', true],
  ['src/lib', 'src/lib/a.ts', true],
  ['src/lib', 'src/library/a.ts', false],
  ['**/test/*.ts', 'test/a.ts', true],
  ['**/test/*.ts', 'a/b/test/a.ts', true],
  ['**/test/*.ts', 'a/test/b/a.ts', false],
  ['a/**/z.ts', 'a/z.ts', true],
  ['a/**/z.ts', 'a/b/c/z.ts', true],
  ['a/**/z.ts', 'b/a/z.ts', false],
  ['**', 'a', true],
  ['**', 'a/b/.c', true],
  ['*', 'a/b', true],
  ['?.ts', 'a.ts', true],
  ['https://docs.example/guide/**', 'https://docs.example/guide/a.html', true],
  ['https://docs.example/guide/', 'https://docs.example/guide/a.html', true],
  ['https://docs.example/guide/**', 'http://docs.example/guide/a.html', false],
  ['https://docs.example/a', 'https://docs.example/a', true],
  ['guide', 'https://docs.example/guide/', true],
  ['**/guide/*', 'https://docs.example/guide/a.html', true],
  ['?.ts', 'ab.ts', false],
  ['a?c/d', 'abc/d', true],
  ['a?c/d', 'a/c/d', false],
  ['*.{ts,tsx}', 'a/b.tsx', true],
  ['*.{ts,tsx}', 'a/b.js', false],
  ['{src,lib}/**/*.{c,h}', 'lib/x/y.h', true],
  ['{src,lib/{a,b}}/*', 'lib/b/y', true],
  ['{src,lib/{a,b}}/*', 'lib/y', false],
  ['*a*b*', 'xxaxxbxx', true],
  ['*a*b', 'ab_ba', false],
  ['.github/**', '.github/workflows/ci.yml', true],
  ['*.MD', 'a.md', false],
  ['(group)/page.tsx', '(group)/page.tsx', true],
  ['näh*/ü.md', 'nähe/ü.md', true],
];

describe('a glob', () => {
  it.each(TABLE)('%s on %s: %s', (pattern, path, expected) => {
    expect(compileGlob(pattern)(path)).toBe(expected);
  });

  it.each([
    ['', 'blank'],
    ['  ', 'blank'],
    ['a'.repeat(257), 'longer than 256'],
    ['[a-z].ts', 'character classes'],
    ['!(a|b).ts', 'extended globs'],
    ['@(a)', 'extended globs'],
    ['!a', 'exclude_patterns'],
    ['a\\b', 'escapes'],
    ['{a,b', 'other half'],
    ['a}', 'other half'],
    ['a\u0000', 'control characters'],
    ['\ud800', 'control characters'],
    ['../a', '..'],
    ['./a', '. or ..'],
    ['/', 'name something'],
    ['{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}', '64 alternatives'],
  ])('%j is rejected with a sentence', (pattern, part) => {
    expect(validateGlob(pattern)).toContain(part);
    expect(() => compileGlob(pattern)).toThrow(RangeError);
  });

  it('accepts 64 alternatives', () => {
    expect(compileGlob('{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}')('bababa')).toBe(true);
  });

  it('does not slow down on patterns that make backtracking matchers run forever', () => {
    const hostile = [
      `${'*a'.repeat(120)}b`,
      `${'**/'.repeat(80)}b`,
      `${'**/*'.repeat(60)}b`,
      `${'a*?'.repeat(80)}b`,
    ];
    const paths = ['a'.repeat(4_000), `${'a/'.repeat(2_000)}a`, `${'aaaa/'.repeat(500)}a`];
    for (const pattern of hostile)
      for (const path of paths) expect(compileGlob(pattern)(path)).toBe(false);
  });

  it('agrees with a matcher of parts and names, alternatives and folders included', () => {
    const letter = fc.constantFrom(
      'a',
      'b',
      '*',
      '**',
      '?',
      '/',
      '/**/',
      '**/',
      '{a,*b}',
      '{a/,b}',
      '{,b/}',
      'ü',
      '.',
    );
    const pattern = fc
      .array(letter, { minLength: 1, maxLength: 9 })
      .map((all) => all.join(''))
      .filter((text) => validateGlob(text) === null);
    const path = fc
      .array(fc.constantFrom('a', 'b', '/', 'ab', 'ba/', 'ü', '.', '//'), { maxLength: 12 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 6 }), path, (patterns, name) => {
        const expected = patterns.flatMap((glob, index) => (plainGlob(glob)(name) ? [index] : []));
        expect([...new GlobList(patterns).matching(name)]).toEqual(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it('agrees with a plain recursive matcher', () => {
    const part = fc.stringMatching(/^[ab*?]{1,4}$/).filter((text) => !text.includes('**'));
    const pattern = fc
      .array(fc.oneof(part, fc.constant('**')), { minLength: 2, maxLength: 4 })
      .map((all) => all.join('/'));
    const path = fc
      .array(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1, maxLength: 4 })
      .map((all) => all.join('/'));
    fc.assert(
      fc.property(pattern, path, (glob, name) => {
        expect(compileGlob(glob)(name)).toBe(plainly(glob.split('/'), name.split('/')));
      }),
      { numRuns: 3_000 },
    );
  });
});

/** The documented meaning of an anchored pattern, implemented without regard to time. */
function plainly(pattern: readonly string[], path: readonly string[]): boolean {
  const foldersToo = !/[*?]/.test(pattern.at(-1) ?? '');
  const match = (parts: readonly string[], names: readonly string[]): boolean => {
    const [part, ...rest] = parts;
    const [name, ...others] = names;
    if (part === undefined) return names.length === 0 || foldersToo;
    if (part === '**' && rest.length === 0) return names.length > 0;
    if (part === '**') return match(rest, names) || (name !== undefined && match(parts, others));
    return name !== undefined && word(part, name) && match(rest, others);
  };
  const word = (glob: string, name: string): boolean => {
    if (glob === '') return name === '';
    if (glob.startsWith('*'))
      return word(glob.slice(1), name) || (name !== '' && word(glob, name.slice(1)));
    return (
      name !== '' && (glob[0] === '?' || glob[0] === name[0]) && word(glob.slice(1), name.slice(1))
    );
  };
  return match(pattern, path);
}

describe('a list of globs', () => {
  it('is bounded by the characters of all its alternatives', () => {
    const wide = `${'a'.repeat(200)}{0,1,2,3,4,5,6,7}{0,1,2,3,4,5,6,7}`;
    expect(validateGlobList([wide])).toBeNull();
    expect(validateGlobList([wide, wide])).toContain('16384 characters');
    expect(validateGlobList(['[', '*.md'])).toBeNull();
  });

  it('of any size finds every pattern that matches', () => {
    const patterns = Array.from(
      { length: 100 },
      (_, index) => `${'a'.repeat(200)}${index}{0,1,2,3,4,5,6,7}`,
    );
    expect([...new GlobList(patterns).matching(`x/${'a'.repeat(200)}421`)]).toEqual([42]);
  });

  it('matches no path of more than 4,096 characters', () => {
    expect(compileGlob('a/**')(`a/${'b'.repeat(4_094)}`)).toBe(true);
    expect(compileGlob('a/**')(`a/${'b'.repeat(4_095)}`)).toBe(false);
  });
});

describe('selectPaths', () => {
  it('selects everything without patterns, and lets excludes win', () => {
    expect(selectPaths([], [])('a/b')).toBe(true);
    const select = selectPaths(['src', '*.md'], ['src/gen', 'CHANGELOG.md']);
    expect(
      ['src/a.ts', 'x/y.md', 'src/gen/a.ts', 'x/CHANGELOG.md', 'lib/a.ts'].filter(select),
    ).toEqual(['src/a.ts', 'x/y.md']);
  });
});
