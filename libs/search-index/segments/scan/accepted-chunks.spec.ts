import { describe, expect, it } from '@jest/globals';

import type { PackTables } from '../../pack/pack-tables.js';
import { AcceptedChunks } from './accepted-chunks.js';
import { ScanPace } from './scan-pace.js';
import type { SearchedView } from './searched-view.js';

/** A view whose chunks are of files with a language; it counts the keys that are made. */
function viewOf(files: readonly (readonly [path: string, language: string])[]) {
  const keys: number[] = [];
  const at = (chunk: number) => files[chunk] ?? ['', ''];
  const tables = {
    path: (chunk: number) => at(chunk)[0],
    language: (chunk: number) => at(chunk)[1],
    isSameFile: (chunk: number, other: number) => String(at(chunk)) === String(at(other)),
    fileKey: (chunk: number) => {
      keys.push(chunk);
      return String(at(chunk));
    },
  } as unknown as PackTables;
  return { view: { segment: { tables } } as unknown as SearchedView, keys };
}

describe('AcceptedChunks', () => {
  const filter = { paths: ['a/*'], languages: ['go'] };

  it('decides the chunks of a file once, and each file and language for itself', () => {
    const one = viewOf([
      ['a/x', 'go'],
      ['a/x', 'go'],
      ['a/x', 'markdown'],
      ['b/x', 'go'],
      ['a/x', 'go'],
    ]);
    const other = viewOf([['b/x', 'go']]);
    const accepts = new AcceptedChunks().by(filter, new ScanPace());
    const answers = [0, 1, 2, 3, 4].map((chunk) => accepts(one.view, chunk));
    expect(answers).toEqual([true, true, false, false, true]);
    expect(one.keys).toEqual([0, 2, 3, 4]);
    expect(accepts(other.view, 0)).toBe(false);
    expect(accepts(one.view, 4)).toBe(true);
  });
});
