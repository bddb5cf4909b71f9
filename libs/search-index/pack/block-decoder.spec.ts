import { constants, crc32, createZstdDecompress, zstdCompressSync } from 'node:zlib';

import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { BlockDecoder } from './block-decoder.js';

const pack = (raw: Buffer, params: Record<number, number> = {}): Buffer =>
  zstdCompressSync(raw, { params: { [constants.ZSTD_c_compressionLevel]: 3, ...params } });
const contentOf = (raw: Buffer) => ({ rawLength: raw.length, crc: crc32(raw) });

/** Few letters and long runs, so that blocks repeat offsets from their first sequence on. */
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

describe('BlockDecoder', () => {
  let created = 0;
  const counted = () => {
    created += 1;
    return createZstdDecompress();
  };
  const decoded = (decoder: BlockDecoder, packed: Buffer, raw: Buffer, at = 3): Buffer => {
    const memory = Buffer.alloc(raw.length + at + 5, 0xee);
    const content = Buffer.from(decoder.decode(packed, contentOf(raw), memory, at));
    const around = Buffer.concat([memory.subarray(0, at), memory.subarray(at + raw.length)]);
    expect(around.equals(Buffer.alloc(at + 5, 0xee))).toBe(true);
    return content;
  };
  beforeEach(() => {
    created = 0;
  });

  it('returns the content of any blocks by one decoder', () => {
    const decoder = new BlockDecoder(counted);
    fc.assert(
      fc.property(raws, (some) => {
        expect(some.map((raw) => decoded(decoder, pack(raw), raw))).toEqual(some);
      }),
    );
    expect(created).toBe(1);
  });

  it('returns empty and long blocks, runs, bytes that do not shrink, and those with a checksum', () => {
    const decoder = new BlockDecoder(counted);
    const noise = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * at * 7919) % 251));
    const long = Buffer.from('one line of text\n'.repeat(20_000));
    for (const raw of [Buffer.alloc(300_000, 7), noise, Buffer.alloc(0), long, Buffer.from('x')])
      for (const checksum of [0, 1])
        expect(
          decoded(decoder, pack(raw, { [constants.ZSTD_c_checksumFlag]: checksum }), raw),
        ).toEqual(raw);
    expect(created).toBe(1);
  });

  it('rejects damaged blocks, and reads the next one', () => {
    const decoder = new BlockDecoder(counted);
    const raw = Buffer.from('some text '.repeat(50));
    const good = pack(raw);
    const content = contentOf(raw);
    const bad = [
      [good.subarray(0, -1), content],
      [good.subarray(0, 5), content],
      [Buffer.from('no block at all'), content],
      [Buffer.alloc(0), content],
      [good, { ...content, rawLength: raw.length - 1 }],
      [good, { ...content, rawLength: raw.length + 1 }],
      [good, { ...content, crc: content.crc ^ 1 }],
    ] as const;
    for (const [packed, wanted] of bad) {
      const memory = Buffer.alloc(wanted.rawLength + 10);
      expect(() => decoder.decode(packed, wanted, memory, 5)).toThrow('a text block');
      expect(decoded(decoder, good, raw)).toEqual(raw);
    }
  });

  it.each([
    ['has no such decoder', () => ({})],
    ['has one that writes nothing', () => new SilentDecompressor()],
  ])('returns the content where Node %s', (_, create) => {
    const raw = Buffer.from('some text '.repeat(50));
    expect(decoded(new BlockDecoder(create), pack(raw), raw)).toEqual(raw);
  });
});

/** Has the form of the decompressor, and leaves the output as it was. */
class SilentDecompressor {
  readonly _writeState = Uint32Array.of(0, 0);
  readonly _handle = { writeSync: (): void => undefined };
  destroyed = false;

  on(): void {
    // Nothing happens to it.
  }

  destroy(): void {
    this.destroyed = true;
  }
}
