import { describe, expect, it } from '@jest/globals';

import { choosePieces, fitPieces } from './pieces.js';

const PARTED = ['parse', 'parser', 'parsed', 'parsing', 'reparse'];
const COLORED = ['colour', 'coloured', 'colours', 'colouring', 'recolour'];
const WORDS = [...PARTED, ...COLORED, 'x'];

describe('pieces of words', () => {
  it('are those of the most words, ends included', () => {
    const { keys, ofWords } = choosePieces(WORDS, 100);
    expect(keys).toEqual(
      expect.arrayContaining(['#par', '#pars', '#<par', '#col', '#colou', '#<col']),
    );
    // Of three words; of one.
    expect(keys.filter((key) => ['#ing', '#ng>', '#<x>'].includes(key))).toEqual([]);
    expect(choosePieces(WORDS, 3).keys).toEqual(keys.slice(0, 3));
    expect(ofWords.map((pieces) => pieces.length > 0)).toEqual(WORDS.map((word) => word !== 'x'));
    expect([...(choosePieces(WORDS, 100).ofWords[0] ?? [])].map((piece) => keys[piece])).toContain(
      '#<par',
    );
  });

  it('get vectors whose mean approximates the vector of each word', () => {
    const pieces = choosePieces(WORDS, 100);
    const rows = Float32Array.from(
      WORDS.flatMap((word) => (PARTED.includes(word) ? [1, 0] : [0, 2])),
    );
    const vectors = fitPieces(pieces, rows, 2);
    pieces.ofWords.forEach((of, word) => {
      if (of.length === 0) return;
      const mean = [0, 1].map(
        (at) => of.reduce((sum, piece) => sum + (vectors[piece * 2 + at] as number), 0) / of.length,
      );
      expect(mean[0]).toBeCloseTo(rows[word * 2] as number, 1);
      expect(mean[1]).toBeCloseTo(rows[word * 2 + 1] as number, 1);
    });
  });
});
