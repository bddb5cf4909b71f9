import { describe, expect, it } from '@jest/globals';

import { type ParsedDocument, parseFile } from '#ingest';

import { LineWindows, windowsOf } from './line-windows.js';

const lines = (count: number, text = 'tide'): string => Array<string>(count).fill(text).join('\n');
const document = (path: string, text: string): ParsedDocument =>
  parseFile({ path, kind: 'file', bytes: Buffer.from(text) }) as ParsedDocument;

describe('windowsOf', () => {
  it('cuts after every 60 lines', () => {
    const places = (text: string) => windowsOf(text).map(({ first, last }) => [first, last]);
    expect(places(lines(60))).toEqual([[1, 60]]);
    expect(places(lines(61))).toEqual([
      [1, 60],
      [61, 61],
    ]);
  });

  it('omits windows without a word', () => {
    expect(windowsOf('')).toEqual([]);
    expect(windowsOf(`${lines(60, '--')}\nharbor`).map(({ first }) => first)).toEqual([61]);
  });
});

describe('LineWindows', () => {
  it('returns the best windows first, two of a file at most', () => {
    const windows = LineWindows.of([
      document('tides.py', lines(180, 'the tide of the harbor')),
      document('ferry.py', 'a ferry waits for the tide'),
      document('sail.py', 'a sail'),
    ]);
    try {
      const found = windows.search('Where does the ferry wait for the tide?');
      expect(found[0]).toEqual({ path: 'ferry.py', startLine: 1, endLine: 1 });
      expect(found.map(({ path }) => path)).toEqual(['ferry.py', 'tides.py', 'tides.py']);
    } finally {
      windows.close();
    }
  });
});
