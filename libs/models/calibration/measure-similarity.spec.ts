import { describe, expect, it } from '@jest/globals';

import type { Embedder } from '../embedder.port.js';
import { createHashEmbedder } from '../local/local-embedder.js';
import { measureSimilarity } from './measure-similarity.js';

/**
 * Returns a model with as many directions as pairs; `common` is the cosine between any two texts.
 */
function model(common: number, own: number): Embedder {
  const vector = (index: number, side: number): Float32Array => {
    const values = new Float32Array(61);
    values[0] = Math.sqrt(common);
    values[1 + index] = Math.sqrt(own);
    values[21 + 2 * index + side] = Math.sqrt(1 - common - own);
    return values;
  };
  let asked = 0;
  return {
    id: 'm',
    dimensions: 61,
    local: false,
    embedPassages: async (inputs) => inputs.map((_, index) => vector(index, 0)),
    embedQuery: async () => vector(asked++, 1),
  };
}

describe('the measured similarity of a model', () => {
  it('lies between those of unrelated and of related texts', async () => {
    const { range, unrelated, related } = await measureSimilarity(model(0.6, 0.25));
    expect(unrelated).toEqual([0.6, 0.6, 0.6]);
    expect(related).toEqual([0.85, 0.85, 0.85]);
    expect(range).toEqual({ low: 0.6, high: 0.85 });
  });

  it('is rejected if the model finds everything alike', async () => {
    await expect(measureSimilarity(model(0.9, 0.02))).rejects.toThrow(
      'does not distinguish related texts',
    );
  });

  it('of the built-in model distinguishes its pairs', async () => {
    const { unrelated, related } = await measureSimilarity(createHashEmbedder());
    expect(related[1]).toBeGreaterThan(unrelated[2]);
  });
});
