import { describe, expect, it } from '@jest/globals';

import { differentFiles } from './file-diff.js';
import { differentSymbols } from './symbol-diff.js';

const document = (path: string, version: string) => ({ path, version, chunks: 1 });

describe('differentFiles', () => {
  it('finds added, changed and removed files, and no others', async () => {
    const before = [document('a', '1'), document('b', '1'), document('c', '1')];
    const after = [document('d', '1'), document('c', '2'), document('a', '1')];
    expect(await differentFiles(before, after)).toEqual([
      { path: 'd', change: 'added' },
      { path: 'c', change: 'changed' },
      { path: 'b', change: 'removed' },
    ]);
    expect(await differentFiles(before, before)).toEqual([]);
  });
});

describe('differentSymbols', () => {
  it('compares symbols by their whole content, wherever it moved', () => {
    const before = [
      { symbol: 'moved', content: 'x' },
      { symbol: 'long', content: 'first' },
      { symbol: 'long', content: 'second' },
      { symbol: 'gone', content: 'y' },
      { symbol: undefined, content: 'no name' },
    ];
    const after = [
      { symbol: 'long', content: 'first' },
      { symbol: 'long', content: 'third' },
      { symbol: 'moved', content: 'x' },
      { symbol: 'fresh', content: 'z' },
    ];
    expect(differentSymbols(before, after)).toEqual([
      { symbol: 'long', change: 'changed' },
      { symbol: 'fresh', change: 'added' },
      { symbol: 'gone', change: 'removed' },
    ]);
  });
});
