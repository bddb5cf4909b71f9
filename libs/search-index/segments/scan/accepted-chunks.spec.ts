import { describe, expect, it } from '@jest/globals';

import type { PackTables } from '../../pack/pack-tables.js';
import { ACCEPTED, AcceptedChunks } from './accepted-chunks.js';
import { ScanPace } from './scan-pace.js';
import type { SearchedView } from './searched-view.js';

/** A view whose chunks are of files with a language; it counts the paths that are read. */
function viewOf(files: readonly (readonly [path: string, language: string])[]) {
  const read: number[] = [];
  const at = (chunk: number) => files[chunk] ?? ['', ''];
  const tables = {
    chunkCount: files.length,
    path: (chunk: number) => {
      read.push(chunk);
      return at(chunk)[0];
    },
    language: (chunk: number) => at(chunk)[1],
    isSameFile: (chunk: number, other: number) => String(at(chunk)) === String(at(other)),
  } as unknown as PackTables;
  return { view: { segment: { tables } } as unknown as SearchedView, read };
}

const FILES = [
  ['a/x', 'go'],
  ['a/x', 'go'],
  ['a/x', 'markdown'],
  ['b/x', 'go'],
  ['b/x', 'go'],
  ['a/x', 'go'],
] as const;
const ANSWERS = [true, true, false, false, false, true];

describe('AcceptedChunks', () => {
  const filter = { paths: ['a/*'], languages: ['go'] };
  const all = FILES.map((_, chunk) => chunk);

  it('decides the chunks of a file once, and each file and language for itself', () => {
    const one = viewOf(FILES);
    const other = viewOf([['b/x', 'go']]);
    const accepted = new AcceptedChunks();
    const accepts = accepted.by(filter, new ScanPace());
    expect(all.map((chunk) => accepts(one.view, chunk))).toEqual(ANSWERS);
    expect(one.read).toEqual([0, 2, 3, 5]);
    expect(accepts(other.view, 0)).toBe(false);
    expect(accepts(one.view, 4)).toBe(false);
    const again = accepted.by(filter, new ScanPace());
    expect(all.map((chunk) => again(one.view, chunk))).toEqual(ANSWERS);
    expect(one.read).toHaveLength(4);
  });

  it('decides about the whole file, whichever of its chunks is asked for first', () => {
    const { view, read } = viewOf(FILES);
    const accepts = new AcceptedChunks().by(filter, new ScanPace());
    expect([...all].reverse().map((chunk) => accepts(view, chunk))).toEqual(ANSWERS.toReversed());
    expect(read).toEqual([5, 4, 2, 1]);
  });

  it('returns the answers about a segment once all are decided', () => {
    const { view } = viewOf(FILES);
    const accepts = new AcceptedChunks().by(filter, new ScanPace());
    for (const chunk of all) {
      expect(accepts.decided?.(view.segment)).toBeUndefined();
      accepts(view, chunk);
    }
    const answers = accepts.decided?.(view.segment);
    expect(Array.from(answers ?? [], (answer) => answer === ACCEPTED)).toEqual(ANSWERS);
  });

  it('answers alike when it keeps nothing', () => {
    const { view, read } = viewOf(FILES);
    const accepted = new AcceptedChunks(1);
    for (const count of [4, 8]) {
      const accepts = accepted.by(filter, new ScanPace());
      expect(all.map((chunk) => accepts(view, chunk))).toEqual(ANSWERS);
      expect(read).toHaveLength(count);
    }
  });
});
