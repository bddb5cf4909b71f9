import { describe, expect, it } from '@jest/globals';

import { mayBeWanted, packageSkips } from './package-files.js';

const left = async (...paths: string[]): Promise<string[]> => {
  const skips = await packageSkips(paths);
  return paths.filter((path) => !skips.has(path));
};

describe('the files of a package', () => {
  it.each<readonly [string, string[], string[]]>([
    [
      'a build where it is all there is',
      ['package.json', 'dist/a.js', 'dist/a.d.ts'],
      ['package.json', 'dist/a.js', 'dist/a.d.ts'],
    ],
    [
      'sources before what was built of them',
      ['src/a.ts', 'src/b/c.tsx', 'dist/a.js', 'dist/a.d.ts', 'dist/bundle.js'],
      ['src/a.ts', 'src/b/c.tsx'],
    ],
    [
      'a lib that has its sources',
      ['src/a.ts', 'lib/a.js', 'lib/a.d.ts', 'lib/other.js'],
      ['src/a.ts', 'lib/other.js'],
    ],
    [
      'a lib of sources',
      ['index.js', 'lib/router.js', 'lib/index.js'],
      ['index.js', 'lib/router.js', 'lib/index.js'],
    ],
    [
      'sources next to their builds',
      ['a.ts', 'a.js', 'a.d.ts', 'b.js', 'b.d.ts'],
      ['a.ts', 'b.js', 'b.d.ts'],
    ],
    [
      'one form of the same modules',
      ['cjs/a.js', 'esm/a.mjs', 'umd/a.js', 'umd/b.js'],
      ['esm/a.mjs', 'umd/b.js'],
    ],
    ['one form below dist', ['dist/cjs/x/a.js', 'dist/esm/x/a.js'], ['dist/esm/x/a.js']],
    [
      'es before lib',
      [
        'lib/button/index.js',
        'es/button/index.js',
        'es/button/index.d.ts',
        'lib/button/index.d.ts',
      ],
      ['es/button/index.js', 'es/button/index.d.ts'],
    ],
    [
      'one ending of the same module',
      ['a.mjs', 'a.cjs', 'b.js', 'b.mjs', 'c.cjs', 'a.d.mts', 'a.d.ts'],
      ['a.mjs', 'b.js', 'c.cjs', 'a.d.ts'],
    ],
    [
      'the readable build',
      ['index.js', 'cjs/react.development.js', 'cjs/react.production.js', 'x.production.min.js'],
      ['index.js', 'cjs/react.development.js', 'x.production.min.js'],
    ],
    [
      'no tests, but the interface for tests',
      ['django/test/client.py', 'numpy/tests/test_a.py', 'a/__tests__/a.js'],
      ['django/test/client.py'],
    ],
    [
      'no notes of installers',
      [
        'a-1.dist-info/METADATA',
        'a-1.dist-info/RECORD',
        'PKG-INFO',
        'a.egg-info/SOURCES.txt',
        'a/PKG-INFO',
        'x/LC_MESSAGES/django.po',
      ],
      ['a-1.dist-info/METADATA', 'a/PKG-INFO'],
    ],
    [
      'one manifest of a crate',
      ['Cargo.toml', 'Cargo.toml.orig', '.cargo_vcs_info.json', 'src/lib.rs'],
      ['Cargo.toml', 'src/lib.rs'],
    ],
  ])('keep %s', async (_, paths, expected) => {
    expect(await left(...paths)).toEqual(expected);
  });

  it('are not unpacked where their name keeps them out', () => {
    const paths = ['a.js', 'a.so', 'x/tests/a.py', 'a-1.dist-info/RECORD', 'logo.png', 'README'];
    expect(paths.filter(mayBeWanted)).toEqual(['a.js', 'README']);
  });
});
