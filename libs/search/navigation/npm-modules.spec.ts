import { describe, expect, it } from '@jest/globals';

import { npmModules } from './npm-modules.js';

describe('the modules of an npm package', () => {
  const of = (description: object | string, subpath = '') =>
    npmModules(
      typeof description === 'string' ? description : JSON.stringify(description),
      subpath,
    );

  it('are its entry points without endings, then the sources of build output', () => {
    const exports = { '.': { types: './dist/a.d.ts', import: { default: './dist/a.mjs' } } };
    expect(of({ exports, main: 'lib/a.js', types: 'dist/a.d.ts' })).toEqual([
      './dist/a',
      './lib/a',
      './index',
      './src/a',
      './src/index',
    ]);
  });

  it('are those of a subpath alone', () => {
    const exports = { '.': './dist/a.js', './parts': './dist/parts/index.js' };
    expect(of({ exports, main: 'dist/a.js' }, 'parts')).toEqual([
      './dist/parts/index',
      './parts',
      './src/parts/index',
      './src/parts',
    ]);
    expect(of({ exports: './a.js' }, 'other')).toEqual(['./other', './src/other']);
  });

  it.each(['', '{', '[]', 'null', '{"exports": [], "main": 1}', '{"exports": {"__proto__": 1}}'])(
    'are guessed where the description is %j',
    (description) => {
      expect(of(description)).toEqual(['./index', './src/index']);
    },
  );

  it('are bounded for a description of any size', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`c${at}`, `./${at}`]),
    );
    let deep: object = { default: './deep.js' };
    for (let level = 0; level < 1_000; level += 1) deep = { default: deep };
    expect(of({ exports: wide }).length).toBeLessThanOrEqual(40);
    const long = 'x'.repeat(256 * 1024 - JSON.stringify({ main: 'a', x: '' }).length);
    expect(of({ main: 'a', x: long })).toContain('./a');
    expect(of({ main: 'a', x: `${long}x` })).toEqual(['./index', './src/index']);
    expect(of({ exports: { '.': deep } })).toEqual(['./index', './src/index']);
  });
});
