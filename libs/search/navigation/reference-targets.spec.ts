import { describe, expect, it } from '@jest/globals';

import type { FileOccurrences, NameBinding } from '#code-search';
import type { IndexedSymbol } from '#search-index';

import { ReferenceTargets, targetKey } from './reference-targets.js';

const imported = (module: string, name = 'pay', member?: string): NameBinding => ({
  kind: 'imported',
  modules: [module],
  imported: name,
  ...(member !== undefined && { member }),
});
const fileOf = (path: string, sourceId = 'a') => ({ sourceId, path, language: 'typescript' });
const definition = (path: string, symbol = 'pay', sourceId = 'a') =>
  ({
    source: { sourceId },
    path,
    name: 'pay',
    symbol,
    place: { kind: 'function', line: 1, column: 8, last_line: 1 },
  }) as unknown as IndexedSymbol;
const KEY = (path: string) => targetKey(fileOf(path), { line: 1, column: 8 });

/** Files that pass the name on, by path: modules by name, and modules as a whole. */
function targetsOf(
  definitions: readonly IndexedSymbol[],
  passing: Readonly<Record<string, Partial<FileOccurrences>>> = {},
) {
  const read: string[] = [];
  const targets = new ReferenceTargets('pay', definitions, async ({ path }) => {
    read.push(path);
    const file = passing[path];
    return file && { isParsed: true, names: [], passedOn: [], ...file };
  });
  return { targets, read };
}

describe('the targets of references', () => {
  const keysOf = async (targets: ReferenceTargets, binding: NameBinding, path = 'src/use.ts') =>
    (await targets.of(fileOf(path), binding))?.keys;

  it('are the definitions in the file of an import', async () => {
    const { targets } = targetsOf([definition('src/pay.ts'), definition('lib/pay.ts')]);
    expect(await keysOf(targets, imported('./pay'))).toEqual([KEY('src/pay.ts')]);
    expect(await keysOf(targets, imported('./pay', 'default'))).toEqual([KEY('src/pay.ts')]);
    expect(await keysOf(targets, imported('./pay', 'other'))).toBeUndefined();
    expect(await keysOf(targets, imported('pay'))).toBeUndefined();
  });

  it('are never in another source', async () => {
    const { targets } = targetsOf([definition('src/pay.ts', 'pay', 'b')]);
    expect(await keysOf(targets, imported('./pay'))).toBeUndefined();
  });

  it('are found through files that pass names on, each read once', async () => {
    const { targets, read } = targetsOf([definition('src/money/pay.ts')], {
      'src/money/index.ts': { passedOn: ['./all'] },
      'src/money/all.ts': {
        names: [{ line: 1, column: 1, isImport: true, binding: imported('./pay') }],
      },
    });
    for (let again = 0; again < 2; again += 1)
      expect(await keysOf(targets, imported('./money'))).toEqual([KEY('src/money/pay.ts')]);
    expect(read.filter((path) => path === 'src/money/index.ts')).toHaveLength(1);
  });

  it('stay unknown if files pass a name on in a circle', async () => {
    const { targets } = targetsOf([definition('src/far.ts')], {
      'src/a.ts': { passedOn: ['./b'] },
      'src/b.ts': { passedOn: ['./a'] },
    });
    expect(await keysOf(targets, imported('./a'))).toBeUndefined();
  });

  it('look up 300 files at most', async () => {
    const modules = Array.from({ length: 40 }, (_, at) => `./m${at}`);
    const { targets, read } = targetsOf([definition('src/far.ts')]);
    const binding: NameBinding = { kind: 'imported', modules, imported: 'pay' };
    expect(await keysOf(targets, binding)).toBeUndefined();
    expect(read).toHaveLength(300);
  });

  it('are members of an imported type by their symbol', async () => {
    const { targets } = targetsOf([definition('src/shop.ts', 'Shop.pay')]);
    expect(await keysOf(targets, imported('./shop', 'Shop', 'pay'))).toEqual([KEY('src/shop.ts')]);
    expect(await keysOf(targets, imported('./shop', 'Till', 'pay'))).toBeUndefined();
    expect(await keysOf(targets, imported('./shop'))).toBeUndefined();
  });

  it('are members that an import of Java names with their type', async () => {
    const { targets } = targetsOf([definition('src/shop/Till.java', 'Till.pay')]);
    const of = async (module: string) =>
      (await targets.of({ ...fileOf('src/Use.java'), language: 'java' }, imported(module)))?.keys;
    expect(await of('shop.Till.pay')).toEqual([KEY('src/shop/Till.java')]);
    expect(await of('shop.Till.Other.pay')).toBeUndefined();
    expect(await of('other.Till.pay')).toBeUndefined();
  });

  it('are local for declarations inside functions that are no definitions', async () => {
    const { targets } = targetsOf([definition('src/pay.ts')]);
    const declared = (line: number): NameBinding => ({
      kind: 'declared',
      places: [{ line, column: 8 }],
      isLocal: true,
    });
    expect(await targets.of(fileOf('src/pay.ts'), declared(1))).toEqual({
      keys: [KEY('src/pay.ts')],
      isLocal: false,
    });
    expect((await targets.of(fileOf('src/pay.ts'), declared(2)))?.isLocal).toBe(true);
    expect(await targets.of(fileOf('src/pay.ts'), { kind: 'unknown' })).toBeUndefined();
  });
});
