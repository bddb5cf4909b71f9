import { describe, expect, it } from '@jest/globals';

import { candidate, OPTIONS, STATISTICS } from '#test/support/rank-candidates';

import { analyzeQuery } from '../analysis/analyze-query.js';
import { rank } from '../ranking/rank.js';
import type { RankCandidate } from '../ranking/rank.types.js';
import { FilePassages } from './file-passages.js';

const SENTENCE = analyzeQuery('broken call waits longer before another attempt');
const ASKED = { ...STATISTICS, documentFrequencies: SENTENCE.terms.map(() => 5) };

/** A chunk with some terms of the sentence. */
function chunk(path: string, startLine: number, terms: number, cosine = 0.5): RankCandidate {
  const termFrequencies = SENTENCE.terms.map((_, at) => Number(at < terms));
  return candidate({ path, startLine, endLine: startLine + 9, termFrequencies, cosine });
}

function choose(
  found: readonly RankCandidate[],
  all: readonly RankCandidate[],
  texts: ReadonlyMap<RankCandidate, string> = new Map(),
  query = SENTENCE,
) {
  const ranked = rank(query, found, ASKED, { ...OPTIONS, explain: true });
  const { profileOf } = OPTIONS;
  const choice = new FilePassages(ranked, { query, statistics: ASKED, profileOf });
  for (const passage of choice.select(all)) choice.read(passage, texts.get(passage) ?? '');
  return { ranked, chosen: choice.chosen(), read: choice.toRead };
}

function placesOf(list: readonly { readonly candidate: RankCandidate }[]): string[] {
  return list.map(({ candidate: { path, startLine } }) => `${path}:${startLine ?? ''}`);
}

describe('passages of the first files', () => {
  it('shows a passage that no retriever found in place of a weaker one of its file', () => {
    const [weak, other] = [chunk('a.ts', 1, 2), chunk('b.ts', 1, 1)];
    const strong = chunk('a.ts', 41, 5, 0.6);
    const { ranked, chosen } = choose([weak, other], [weak, strong, other]);
    expect(placesOf(ranked)).toEqual(['a.ts:1', 'b.ts:1']);
    expect(placesOf(chosen)).toEqual(['a.ts:41', 'b.ts:1']);
  });

  it('keeps scores and the order of files, and explains the difference', () => {
    const [weak, other] = [chunk('a.ts', 1, 2), chunk('b.ts', 1, 1)];
    const { ranked, chosen } = choose([weak, other], [weak, chunk('a.ts', 41, 5, 0.6)]);
    expect(chosen.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score));
    const [first] = chosen;
    expect(first?.contributions?.at(-1)?.name).toBe('passages');
    const sum = first?.contributions?.reduce((total, { value }) => total + value, 0);
    expect(sum).toBeCloseTo(first?.score ?? 0, 9);
  });

  it('prefers the passage whose lines have most terms together', () => {
    const [first, second] = [chunk('a.ts', 1, 3), chunk('a.ts', 41, 3, 0.49)];
    const texts = new Map([
      [first, `broken\n${'\n'.repeat(20)}call\n${'\n'.repeat(20)}waits`],
      [second, 'broken call waits'],
    ]);
    expect(placesOf(choose([first, second], [first, second]).chosen)[0]).toBe('a.ts:1');
    expect(placesOf(choose([first, second], [first, second], texts).chosen)[0]).toBe('a.ts:41');
  });

  it('reads no file for a query of a few words', () => {
    const query = analyzeQuery('broken call');
    const weak = chunk('a.ts', 1, 1);
    const { read, ranked, chosen } = choose([weak], [weak], new Map(), query);
    expect(read).toEqual([]);
    expect(chosen).toEqual(ranked);
  });

  it('never shows overlapping or equal passages of a file', () => {
    const [weak, next] = [chunk('a.ts', 1, 2), chunk('a.ts', 60, 1)];
    const strong = chunk('a.ts', 5, 5, 0.6);
    const { chosen } = choose([weak, next], [weak, strong, next]);
    expect(placesOf(chosen)).toEqual(['a.ts:5', 'a.ts:60']);
  });
});
