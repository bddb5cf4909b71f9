import { describe, expect, it } from '@jest/globals';

import { TextBlockCache, TextBlocks, TextBlocksWriter } from './text-blocks.js';

describe('the cache of text blocks', () => {
  it('keeps only the memory of its blocks, not of the buffers that they are cut from', () => {
    const cache = new TextBlockCache(1_000_000);
    const pooled = Buffer.allocUnsafe(100).fill('text');
    expect(pooled.buffer.byteLength).toBeGreaterThan(pooled.length);
    cache.set(0, pooled);
    const kept = cache.get(0) as Uint8Array;
    expect(kept.buffer.byteLength).toBe(100);
    expect(Buffer.from(kept).equals(pooled)).toBe(true);
  });

  it('returns the same text from a cached block', () => {
    const writer = new TextBlocksWriter();
    const span = writer.add(Buffer.from('first'));
    writer.add(Buffer.from('second'));
    const { table, data } = writer.finish();
    let reads = 0;
    const texts = new TextBlocks(table, (at, length) => {
      reads += 1;
      return data.subarray(at, at + length);
    });
    const all = [texts.bytes(span), texts.bytes(span)];
    expect(all.map((bytes) => Buffer.from(bytes).toString())).toEqual(['first', 'first']);
    expect(reads).toBe(1);
  });
});
