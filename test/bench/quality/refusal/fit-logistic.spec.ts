import { describe, expect, it } from '@jest/globals';

import { type Example, fitLogistic, logOdds } from './fit-logistic.js';

describe('fitLogistic', () => {
  const examples = Array.from({ length: 40 }, (_, at): Example => {
    return { features: [at / 10, 7, -at], isPositive: at >= 20 };
  });

  it('separates classes, and gives a constant feature no weight', () => {
    const model = fitLogistic(examples);
    expect(logOdds(model, [3.5, 7, -35])).toBeGreaterThan(1);
    expect(logOdds(model, [0.5, 7, -5])).toBeLessThan(-1);
    expect(model.weights[1]).toBe(0);
  });

  it('gives the same function for the same examples', () => {
    expect(fitLogistic(examples)).toEqual(fitLogistic(examples));
  });

  it('gives even odds where the features say nothing', () => {
    const mixed = examples.map((example, at) => ({ ...example, isPositive: at % 2 === 0 }));
    expect(Math.abs(logOdds(fitLogistic(mixed), [2, 7, -20]))).toBeLessThan(0.1);
  });
});
