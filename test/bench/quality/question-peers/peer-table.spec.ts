import { describe, expect, it } from '@jest/globals';

import { type PeerOutcome, type PeerRow, peerTable } from './peer-table.js';

const outcome = (id: string, ndcg: number, topScore: number | undefined): PeerOutcome => ({
  id,
  ndcg,
  recall: 1,
  fileRank: 4,
  hitRank: 4,
  passageRank: Infinity,
  fairRank: Infinity,
  topScore,
});

const first: PeerRow = {
  name: 'A',
  outcomes: [outcome('x-1', 1, 0.9), outcome('x-2', 0.5, 0.4)],
  foreign: [0.5, 0.1],
};
const cellsOf = (rows: readonly PeerRow[], nth: number): string[] =>
  (peerTable(rows).split('\n')[nth + 2] as string).slice(2, -2).split(' | ');

describe('peerTable', () => {
  it('gives each figure with its interval, and the chance that an answerable question scores higher', () => {
    expect(cellsOf([first], 0)).toEqual([
      'A',
      '.750 ± .490',
      '1.000 ± .000',
      '.000 ± .000',
      '.000 ± .000',
      '1.000 ± .000',
      '.000 ± .000',
      '1.000 ± .000',
      '.000 ± .000',
      '.000 ± .000',
      '.000 ± .000',
      '.750',
      '',
    ]);
  });

  it('compares with the first row question by question, and gives no AUC of ranks', () => {
    const ranks: PeerRow = {
      name: 'B',
      outcomes: [outcome('x-1', 0.75, undefined), outcome('x-2', 0.25, undefined)],
      foreign: [undefined],
    };
    expect(cellsOf([first, ranks], 1).slice(-2)).toEqual(['–', '-.250 ± .000']);
  });

  it('refuses to compare answers to other questions', () => {
    const other: PeerRow = {
      name: 'B',
      outcomes: [outcome('x-2', 1, 1), outcome('x-1', 1, 1)],
      foreign: [],
    };
    expect(() => peerTable([first, other])).toThrow('B and A were asked other questions');
  });
});
