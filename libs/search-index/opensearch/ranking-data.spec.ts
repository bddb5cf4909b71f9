import { describe, expect, it } from '@jest/globals';

import { decodeRanking, encodeRanking, type RankingMeta, termNeedle } from './ranking-data.js';

const META: RankingMeta = {
  chunk_id: '00000000-0000-5000-8000-000000000000',
  tenant_id: 't',
  source_id: 's',
  embedder: 'model',
  path: 'ünï/code.ts',
  ordinal: 3,
  content_hash: 'ab',
  token_count: 5,
  symbol: 'Naïve.method',
  defs: ['Naïve'],
  definitions: [{ name: 'Naïve', symbol: 'Naïve', start_line: 1, end_line: 2 }],
  chunk_type: 'code',
  language: 'typescript',
  length: 17,
};

describe('ranking data', () => {
  const vector = Int8Array.of(-128, -1, 0, 1, 127);
  const terms = [
    ['get', 2],
    ['get_user', 255],
    ['straße', 1],
    ['user', 10],
  ] as const;
  const data = decodeRanking(
    Buffer.from(encodeRanking(META, 0.25, vector, terms).toString('base64'), 'base64'),
  );

  it('is decoded as it was encoded', () => {
    expect(data.meta).toEqual(META);
    expect(data.scale).toBe(0.25);
    expect(data.vector).toEqual(vector);
  });

  it('finds the frequency of a whole term, and of no part of one', () => {
    const asked = ['get', 'get_user', 'straße', 'user', 'et', 'ge', 'get_', 'missing', ''];
    expect(asked.map((term) => data.frequencyOf(termNeedle(term)))).toEqual([
      2, 255, 1, 10, 0, 0, 0, 0, 0,
    ]);
  });

  it('names each term as often as it counts', () => {
    const tokens = data.tokens().split(' ');
    expect(tokens).toHaveLength(2 + 255 + 1 + 10);
    expect(tokens.filter((token) => token === 'get_user')).toHaveLength(255);
  });

  it('of a chunk without terms and vector is empty', () => {
    const empty = decodeRanking(encodeRanking(META, 0, new Int8Array(), []));
    expect([empty.tokens(), empty.vector.length, empty.frequencyOf(termNeedle('get'))]).toEqual([
      '',
      0,
      0,
    ]);
  });

  it('of another format is rejected', () => {
    expect(() => decodeRanking(Buffer.from('something else'))).toThrow('unknown ranking data');
    expect(() => decodeRanking(Buffer.alloc(0))).toThrow('unknown ranking data');
  });
});
