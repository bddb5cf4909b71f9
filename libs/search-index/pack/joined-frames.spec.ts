import { constants, zstdCompressSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { decompressTogether } from './joined-frames.js';

const packed = (raw: Buffer, params: Record<number, number> = {}) => ({
  packed: zstdCompressSync(raw, { params: { [constants.ZSTD_c_compressionLevel]: 3, ...params } }),
  rawLength: raw.length,
});

/** Few letters and long runs, so that frames repeat offsets from their first sequence on. */
const raws = fc.array(
  fc
    .array(
      fc.oneof(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 40 }),
        fc.tuple(fc.string({ maxLength: 9 }), fc.nat(30)).map(([text, n]) => text.repeat(n)),
      ),
      { maxLength: 30 },
    )
    .map((parts) => Buffer.from(parts.join(''))),
  { minLength: 1, maxLength: 9 },
);

describe('decompressTogether', () => {
  it('returns the content of any frames', () => {
    fc.assert(
      fc.property(raws, (some) => {
        expect(decompressTogether(some.map((raw) => packed(raw)))).toEqual(some);
      }),
    );
  });

  it('returns the content of frames with several blocks, runs, and bytes that do not shrink', () => {
    const noise = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * at * 7919) % 251));
    const long = Buffer.from('one line of text\n'.repeat(20_000));
    const some = [Buffer.alloc(300_000, 7), noise, Buffer.alloc(0), long, Buffer.from('x'), noise];
    expect(decompressTogether(some.map((raw) => packed(raw)))).toEqual(some);
  });

  it('returns nothing for frames with checksums, of other lengths, cut off, or of no format', () => {
    const good = packed(Buffer.from('some text '.repeat(50)));
    const checked = packed(Buffer.from('text'), { [constants.ZSTD_c_checksumFlag]: 1 });
    const cut = { ...good, packed: good.packed.subarray(0, -1) };
    const other = { ...good, packed: Buffer.from('no frame at all') };
    for (const bad of [
      checked,
      cut,
      other,
      { ...good, rawLength: 499 },
      { ...good, packed: good.packed.subarray(0, 5) },
    ])
      expect(decompressTogether([good, bad, good])).toBeUndefined();
  });
});
