import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { FolderInUseError } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { VectorCache } from './vector-cache.js';

const vector = (first: number): Float32Array => Float32Array.of(first, 0.5, -0.25, 2);
let folder: ReturnType<typeof tempDir>;
beforeAll(() => {
  folder = tempDir();
});
afterAll(() => folder.remove());

const open = (model = 'm@4'): VectorCache => VectorCache.open(folder.path, model, 4);
const fileOf = (): string => {
  const [name = ''] = readdirSync(folder.path).filter((each) => each.endsWith('.vectors'));
  return join(folder.path, name);
};
function after<Result>(cache: VectorCache, look: (cache: VectorCache) => Result): Result {
  try {
    return look(cache);
  } finally {
    cache.close();
  }
}

it('keeps vectors by text over runs, loses only unfinished or damaged ones, and stores no text', () => {
  after(open(), (cache) => {
    cache.add([1, 2, 3].map((at) => ({ text: `text ${at}`, vector: vector(at) })));
    cache.add([{ text: 'text 3', vector: vector(3) }]);
    expect(cache.get('text 2')).toEqual(vector(2));
  });
  const whole = readFileSync(fileOf());
  expect(whole).toHaveLength(3 * (16 + 16 + 4));
  expect(whole.includes('text')).toBe(false);
  appendFileSync(fileOf(), whole.subarray(0, 20));
  const found = (): (Float32Array | undefined)[] =>
    after(open(), (cache) => [1, 2, 3, 4].map((at) => cache.get(`text ${at}`)));
  expect(found()).toEqual([vector(1), vector(2), vector(3), undefined]);
  expect(readFileSync(fileOf())).toEqual(whole);
  after(open(), (cache) => cache.add([{ text: 'text 4', vector: vector(4) }]));
  expect(found()).toEqual([1, 2, 3, 4].map(vector));
  const damaged = readFileSync(fileOf());
  damaged[2 * 36 + 20] = (damaged[2 * 36 + 20] as number) ^ 1;
  writeFileSync(fileOf(), damaged);
  expect(found()).toEqual([vector(1), vector(2), undefined, undefined]);
});

it('has no vectors of another model, and serves one run at a time', () => {
  after(open('other@4'), (cache) => {
    expect(cache.get('text 1')).toBeUndefined();
    expect(() => open('other@4')).toThrow(FolderInUseError);
  });
});
