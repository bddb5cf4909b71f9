import { zstdCompressSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';

import { BadSectionsError } from '../../pack/sections.js';
import { TextBlocksWriter, type TextSpan } from '../../pack/text-blocks.js';
import { SegmentTexts } from './segment-texts.js';

/** Blocks that hold a text each, and the number of reads of their file. */
function segment(texts: SegmentTexts, contents: readonly string[]) {
  const writer = new TextBlocksWriter();
  const spans = contents.map((content) => writer.add(Buffer.from(content)));
  const { table, data } = writer.finish();
  const reads = { count: 0 };
  const textOf = texts.readerOf(table, (target, at) => {
    reads.count += 1;
    target.set(data.subarray(at, at + target.length));
  });
  return { reads, data, textOf: (at: number) => textOf(spans[at] as TextSpan) };
}

/** Longer than half a block, so that each text has its own block. */
const long = (letter: string, length = 9_000) => letter.repeat(length);

describe('SegmentTexts', () => {
  it('returns the texts of segments whose blocks have the same numbers', () => {
    const texts = new SegmentTexts(100_000);
    const some = segment(texts, [long('a'), long('é')]);
    const others = segment(texts, [long('c'), 'd']);
    for (let round = 0; round < 2; round += 1) {
      expect([some.textOf(0), some.textOf(1)]).toEqual([long('a'), long('é')]);
      expect([others.textOf(0), others.textOf(1)]).toEqual([long('c'), 'd']);
    }
    expect([some.reads.count, others.reads.count]).toEqual([2, 1]);
  });

  it('reads a block again after its memory was used for others', () => {
    const texts = new SegmentTexts(20_000);
    const { textOf, reads } = segment(texts, [long('a'), long('b'), long('c')]);
    expect([0, 1, 2, 0].map(textOf)).toEqual([long('a'), long('b'), long('c'), long('a')]);
    expect(reads.count).toBe(4);
  });

  it('returns texts whose compressed block is longer than the memory for one', () => {
    let state = 1;
    const noise = Array.from({ length: 150_000 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return String.fromCharCode(32 + ((state >>> 16) % 89));
    }).join('');
    expect(zstdCompressSync(noise).length).toBeGreaterThan(64 * 1024);
    const { textOf } = segment(new SegmentTexts(100_000), [noise, 'b']);
    expect([textOf(0) === noise, textOf(1)]).toEqual([true, 'b']);
  });

  it('rejects a damaged block, and reads it once it is repaired', () => {
    const { textOf, data } = segment(new SegmentTexts(100_000), [long('a')]);
    const last = data.length - 1;
    const byte = data[last] as number;
    data[last] = byte ^ 0xff;
    expect(() => textOf(0)).toThrow(BadSectionsError);
    data[last] = byte;
    expect(textOf(0)).toBe(long('a'));
  });
});
