import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { analyzeQuery, MEANING_ID } from '#retrieval';

import { localModel } from './local-models.js';
import { decodeModelFile } from './model-file.js';

const file = readFileSync(new URL('../data/meaning-v1.bin', import.meta.url));

/**
 * Content stores only the model's id, so another file needs another id (`meaning-v2`), and this one
 * stays next to it.
 */
const SHA256 = '77c3aa2834fc89962715ddda4b8c94b8f4c87c5be481db546cb9efc1ceee548d';

describe('the model file that is shipped', () => {
  it('is always the one of its id', () => {
    expect(createHash('sha256').update(file).digest('hex')).toBe(SHA256);
    expect(decodeModelFile(file).header.id).toBe(MEANING_ID);
  });

  it('names its origin, teacher and license, in at most 15 MB', () => {
    const { header } = decodeModelFile(file);
    expect(file.length).toBeLessThanOrEqual(15_000_000);
    expect(header).toMatchObject({
      licence: 'Apache-2.0',
      teacher: expect.stringContaining('MiniLM'),
    });
    expect(header.origin).toMatch(/repositor/);
  });

  it.each([
    ['delete', 'remove', 'socket'],
    ['timeout', 'deadline', 'colour'],
    ['email', 'mail', 'rounding'],
  ])('ranks %s nearer to %s than to %s', async (word, near, far) => {
    const model = localModel({ id: MEANING_ID });
    const embed = (text: string) => {
      const { terms, frequencies } = analyzeQuery(text);
      return model.embed(terms, frequencies);
    };
    const cosine = (a: Float32Array, b: Float32Array) =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
    expect(cosine(embed(word), embed(near))).toBeGreaterThan(cosine(embed(word), embed(far)) + 0.1);
  });
});
