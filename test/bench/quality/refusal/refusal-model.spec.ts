import { describe, expect, it } from '@jest/globals';

import { fitRefusal, margin } from './refusal-model.js';
import type { RefusalCase } from './refusal-run.js';

/** 100 answerable questions with higher cosines than 100 foreign ones. */
const CASES = Array.from({ length: 200 }, (_, at): RefusalCase => {
  const isOwn = at < 100;
  const mean = (at % 100) / 1_000 + (isOwn ? 0.05 : 0);
  const rest = { topScore: 0.5, isSentence: true, best: 0, coverage: 0.5, length: 2 };
  return { repository: 'one', id: `one-${at}`, isOwn, mean, ...rest };
});

describe('fitRefusal', () => {
  const model = fitRefusal(CASES);
  const refused = CASES.filter((each) => margin(model, each) < 0);

  it('chooses the threshold that refuses 7 % of the answerable questions', () => {
    expect(refused.filter(({ isOwn }) => isOwn)).toHaveLength(7);
    expect(refused.filter(({ isOwn }) => !isOwn)).toHaveLength(57);
  });

  it('names the cases that it was fitted on', () => {
    expect(fitRefusal(CASES).trainedOn).toBe(model.trainedOn);
    expect(fitRefusal(CASES.slice(1)).trainedOn).not.toBe(model.trainedOn);
  });

  it('leaves names and few words to the score', () => {
    const [first] = CASES as [RefusalCase];
    const named = { ...first, isSentence: false };
    expect(margin(model, { ...named, topScore: 0.29 })).toBeLessThan(0);
    expect(margin(model, { ...named, topScore: 0.31 })).toBeGreaterThan(0);
    expect(margin(undefined, first)).toBeGreaterThan(0);
  });
});
