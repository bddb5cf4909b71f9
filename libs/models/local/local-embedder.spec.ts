import { describe, expect, it } from '@jest/globals';

import { createHashEmbedder } from './local-embedder.js';

const embedder = createHashEmbedder();
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);

describe('the hash embedder', () => {
  it('returns one vector of norm 1 per passage, of its dimensions', async () => {
    const [vector] = await embedder.embedPassages([
      { path: 'a.ts', defs: ['parse'], content: 'parse the tree' },
    ]);
    expect(vector).toHaveLength(embedder.dimensions);
    expect(Math.hypot(...(vector as Float32Array))).toBeCloseTo(1, 5);
  });

  it('finds the passage that shares words and pieces of words with a question', async () => {
    const [about, other] = await embedder.embedPassages([
      {
        path: 'http/retry.ts',
        symbol: 'retryRequest',
        defs: ['retryRequest'],
        content: 'delay = backoff * attempts',
      },
      { path: 'ui/color.ts', defs: ['Color'], content: 'mix(red, green)' },
    ]);
    const query = await embedder.embedQuery('how are requests retried');
    expect(dot(query, about as Float32Array)).toBeGreaterThan(
      dot(query, other as Float32Array) + 0.2,
    );
  });

  it('returns the zero vector for a text without a term', async () => {
    expect(Math.hypot(...(await embedder.embedQuery('???')))).toBe(0);
  });

  it('stops on an abort', async () => {
    const passage = { path: 'a', defs: [], content: 'x' };
    await expect(
      embedder.embedPassages([passage], AbortSignal.abort(new Error('stop'))),
    ).rejects.toThrow('stop');
  });
});
