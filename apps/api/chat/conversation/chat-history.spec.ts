import { describe, expect, it } from '@jest/globals';

import { fittingHistory } from './chat-history.js';

const turn = (question: string, answer: string) => ({ question, answer, citations: [] });
const words = (text: string) => text.split(' ').length;

describe('the history of a chat', () => {
  it('is the newest turns that fit, whole, in their order', () => {
    const turns = [turn('one', 'a b c'), turn('two', 'a b c'), turn('three', 'a b c')];
    const { turns: kept, tokens } = fittingHistory(turns, 11, words);
    expect(kept.map(({ text }) => text)).toEqual(['two', 'a b c', 'three', 'a b c']);
    expect(tokens).toBe(8);
    expect(fittingHistory(turns, 3, words)).toEqual({ turns: [], tokens: 0 });
  });

  it('has no marks of passages that are not given now, and code as it was', () => {
    const { turns } = fittingHistory(
      [turn('q', 'It evicts [1, 2]: `entries[0]` [3].')],
      100,
      words,
    );
    expect(turns[1]?.text).toBe('It evicts: `entries[0]`.');
  });
});
