import { describe, expect, it } from '@jest/globals';

import type { Audience } from '#contracts';
import type { IndexedSymbol } from '#search-index';

import type { ScopedSource } from '../search-scope.js';
import { ImportedReleases } from './imported-releases.js';

const LINKED: Audience = { kind: 'linked', package_id: 'p' };

/** A source in scope. */
function scoped(sourceId: string, name: string, audience: Audience = LINKED): ScopedSource {
  return { source: { sourceId, name, audience } } as unknown as ScopedSource;
}

describe('imported releases', () => {
  const found = async (
    sources: readonly ScopedSource[],
    [language, module]: readonly [language: string, module: string],
    { paths = [], files = {} }: { paths?: readonly string[]; files?: Record<string, string> } = {},
  ) => {
    const releases = new ImportedReleases(sources, async (_, path) => files[path]);
    const definitions = paths.map((path) => ({ path }) as IndexedSymbol);
    const from = { sourceId: 'own', path: 'src/use', language };
    return (await releases.of(from, module, () => definitions)).map(
      ({ from: { sourceId, path }, modules }) => `${sourceId} ${path} ${modules.join(' ')}`,
    );
  };

  it.each([
    ['typescript', '@a/pay', 'NPM: @a/pay', 'r @a/pay/package.json ./index ./src/index'],
    ['vue', '@a/pay/parts', 'NPM: @a/pay', 'r @a/pay/package.json ./parts ./src/parts'],
    [
      'go',
      'example.com/pay/money',
      'Go: example.com/pay',
      'r example.com/pay/a.go example.com/pay/money',
    ],
    ['rust', 'pay_kit::money', 'crates.io: pay-kit', 'r pay-kit/src/lib.rs crate::money'],
    ['java', 'a.b.Pay', 'Maven: a:pay', 'r a:pay/A.java a.b.Pay'],
  ])('of %s are those of %s', async (language, module, name, expected) => {
    expect(await found([scoped('r', name)], [language, module])).toEqual([expected]);
  });

  it.each([
    ['typescript', './pay', 'NPM: pay'],
    ['typescript', 'payment', 'NPM: pay'],
    ['typescript', 'pay', 'PyPI: pay'],
    ['python', '.pay', 'PyPI: pay'],
    ['go', 'example.com/payment', 'Go: example.com/pay'],
    ['rust', 'crate::pay', 'crates.io: pay'],
    ['java', 'Pay', 'Maven: a:pay'],
    ['ruby', 'pay', 'NPM: pay'],
  ])('of %s are missing for %s and %s', async (language, module, name) => {
    const paths = ['pay/a.py'];
    expect(await found([scoped('r', name)], [language, module], { paths })).toEqual([]);
  });

  it('of Python are seen from the root of a package, or from folders of a distribution', async () => {
    const sources = [scoped('r', 'PyPI: pay-kit')];
    const paths = ['pay/money.py', 'pay-kit/src/pay/money.py'];
    const files = { 'pay/__init__.py': '# A package' };
    expect(await found(sources, ['python', 'pay.money'], { paths, files })).toEqual([
      'r a.py .pay.money',
      'r pay-kit/a.py .pay.money',
      'r pay-kit/src/a.py .pay.money',
      'r pay-kit/lib/a.py .pay.money',
    ]);
    expect(await found(sources, ['python', 'money'], { paths: ['pay/money.py'], files })).toEqual(
      [],
    );
    expect(await found(sources, ['python', 'pay.money'])).toEqual([]);
  });

  it('are never sources of a tenant that have the name of a release', async () => {
    const own = scoped('r', 'NPM: pay', { kind: 'tenant' });
    expect(await found([own], ['typescript', 'pay'])).toEqual([]);
  });

  it('are all linked versions of a package', async () => {
    const sources = [scoped('one', 'NPM: pay'), scoped('two', 'NPM: pay')];
    expect(await found(sources, ['javascript', 'pay'])).toHaveLength(2);
  });
});
