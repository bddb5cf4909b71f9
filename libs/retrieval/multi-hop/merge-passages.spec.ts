import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { type MergeOptions, mergePassages, type Piece } from './merge-passages.js';

const LINES = Array.from({ length: 60 }, (_, at) => `line ${at + 1}${at % 7 === 0 ? '\r' : ''}`);
const lines = (from: number, to: number): string => LINES.slice(from - 1, to).join('\n');

function piece(
  startLine: number,
  endLine: number,
  score = 0.5,
  chunkId = `${startLine}-${endLine}`,
): Piece {
  return {
    chunkId,
    startLine,
    endLine,
    score,
    tokenCount: endLine - startLine + 1,
    content: lines(startLine, endLine),
  };
}

const options: MergeOptions = { maxTokens: 1_000, isWhole: () => true };
const shape = (pieces: Piece[], changed: Partial<MergeOptions> = {}) =>
  mergePassages(pieces, { ...options, ...changed }).map(({ startLine, endLine, best }) => [
    startLine,
    endLine,
    best.score,
  ]);

describe('passages of a document', () => {
  it('join what touches and take the best score', () => {
    expect(shape([piece(11, 20, 0.9), piece(1, 10, 0.2), piece(21, 25, 0.3)])).toEqual([
      [1, 25, 0.9],
    ]);
  });

  it('join what overlaps without repeating a line', () => {
    const [passage] = mergePassages(
      [piece(1, 10, 0.4), piece(5, 15, 0.6), piece(7, 9, 0.1)],
      options,
    );
    expect(passage).toMatchObject({
      startLine: 1,
      endLine: 15,
      content: lines(1, 15),
      best: { score: 0.6 },
    });
    expect(passage?.pieces).toHaveLength(3);
  });

  it('keep apart what has a line between it', () => {
    expect(shape([piece(1, 10, 0.2), piece(12, 20, 0.9)])).toEqual([
      [12, 20, 0.9],
      [1, 10, 0.2],
    ]);
  });

  it('grow towards the better side until the limit, and leave the rest as passages of their own', () => {
    const pieces = [piece(1, 10, 0.3), piece(11, 20, 0.9), piece(21, 30, 0.4), piece(31, 40, 0.1)];
    expect(shape(pieces, { maxTokens: 20 })).toEqual([
      [11, 30, 0.9],
      [1, 10, 0.3],
      [31, 40, 0.1],
    ]);
  });

  it('join what overlaps even beyond the limit: no line is shown twice', () => {
    expect(shape([piece(1, 10, 0.9), piece(8, 20, 0.2)], { maxTokens: 1 })).toEqual([[1, 20, 0.9]]);
  });

  it('join what overlaps though another piece begins between them', () => {
    const pieces = [piece(1, 40, 0.2), piece(2, 3, 0.1), piece(30, 35, 0.9)];
    expect(shape(pieces)).toEqual([[1, 40, 0.9]]);
  });

  it('never join a piece that lacks a part of its line', () => {
    const pieces = [
      piece(1, 4, 0.9),
      piece(5, 5, 0.5, 'left'),
      piece(5, 5, 0.4, 'right'),
      piece(6, 9, 0.3),
    ];
    const isWhole = ({ chunkId }: Piece): boolean => !['left', 'right'].includes(chunkId);
    expect(
      mergePassages(pieces, { ...options, isWhole }).map(({ pieces: { length } }) => length),
    ).toEqual([1, 1, 1, 1]);
  });

  describe('whatever the pieces', () => {
    const anyPiece = fc
      .tuple(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 9 }),
      )
      .map(([start, more, score]) => piece(start, Math.min(60, start + more), score / 10));
    const anyPieces = fc.array(anyPiece, { maxLength: 12 });
    const anyLimit = fc.integer({ min: 1, max: 40 });
    const tokensOf = ({ pieces }: { pieces: readonly Piece[] }): number =>
      pieces.reduce((sum, { tokenCount }) => sum + tokenCount, 0);

    it('are the cited lines byte for byte, best first; each piece is in exactly one', () => {
      fc.assert(
        fc.property(anyPieces, anyLimit, (pieces, maxTokens) => {
          const passages = mergePassages(pieces, { ...options, maxTokens });
          for (const { startLine, endLine, content } of passages)
            expect(content).toBe(lines(startLine, endLine));
          expect(new Set(passages.flatMap((passage) => passage.pieces))).toEqual(new Set(pieces));
          expect(passages.flatMap((passage) => passage.pieces)).toHaveLength(pieces.length);
          const scores = passages.map(({ best }) => best.score);
          expect(scores).toEqual([...scores].sort((a, b) => b - a));
        }),
      );
    });

    it('share no line, and leave apart only what has a line between or is too much together', () => {
      fc.assert(
        fc.property(anyPieces, anyLimit, (pieces, maxTokens) => {
          const inOrder = mergePassages(pieces, { ...options, maxTokens }).sort(
            (a, b) => a.startLine - b.startLine,
          );
          for (const [at, passage] of inOrder.entries()) {
            const next = inOrder[at + 1];
            if (next === undefined) continue;
            expect(next.startLine).toBeGreaterThan(passage.endLine);
            if (next.startLine === passage.endLine + 1) {
              expect(tokensOf(passage) + tokensOf(next)).toBeGreaterThan(maxTokens);
            }
          }
        }),
      );
    });

    it('are named after their best piece', () => {
      fc.assert(
        fc.property(anyPieces, anyLimit, (pieces, maxTokens) => {
          for (const passage of mergePassages(pieces, { ...options, maxTokens })) {
            expect(passage.best.score).toBe(Math.max(...passage.pieces.map(({ score }) => score)));
          }
        }),
      );
    });
  });
});
