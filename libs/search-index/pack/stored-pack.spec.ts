import { describe, expect, it } from '@jest/globals';

import { Column, COLUMNS, NO_STRING } from './pack-layout.js';
import { storedPack, StoredPackTexts } from './stored-pack.js';

const bytesOf = (words: readonly number[]): Buffer => Buffer.from(Uint32Array.from(words).buffer);

/** Returns the texts of a pack whose sections are aligned as in a file. */
function textsOf(sections: Readonly<Record<string, Buffer>>): StoredPackTexts {
  const tables = new Uint8Array(new SharedArrayBuffer(4_096));
  const bounds: Record<string, [number, number]> = {};
  let at = 16;
  for (const [name, section] of Object.entries(sections)) {
    tables.set(section, at);
    bounds[name] = [at, at + section.length];
    at = Math.ceil((at + section.length) / 16) * 16;
  }
  return new StoredPackTexts(storedPack({ file: 'a.pack', textAt: 1_000, tables }, bounds));
}

const CHUNKS = 3;
const chunkTable = Array.from({ length: CHUNKS * COLUMNS }, () => 0);
for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
  chunkTable[chunk * COLUMNS + Column.textBlock] = chunk % 2;
  chunkTable[chunk * COLUMNS + Column.textOffset] = 10 + chunk;
  chunkTable[chunk * COLUMNS + Column.textLength] = 20 + chunk;
  chunkTable[chunk * COLUMNS + Column.startLine] = chunk;
}
const pack = {
  chunk_table: bytesOf(chunkTable),
  text_table: bytesOf([0, 5, 60, 7, 5, 6, 70, 0xffff_ffff]),
  string_offsets: bytesOf([0, 0, 2, 5]),
  strings: Buffer.from('\n\n  \n'),
};

describe('StoredPackTexts', () => {
  it('locates texts and blocks', () => {
    const texts = textsOf(pack);
    expect([0, 1, 2].map((chunk) => texts.block(chunk))).toEqual([0, 1, 0]);
    expect([texts.offset(2), texts.length(2)]).toEqual([12, 22]);
    expect([texts.startLine(0), texts.startLine(2)]).toEqual([undefined, 2]);
    expect(texts.place(1)).toEqual({
      at: 1_005,
      packedLength: 6,
      rawLength: 70,
      crc: 0xffff_ffff,
    });
    expect(() => texts.place(2)).toThrow('there is no text block 2');
  });

  it.each([1, 2, 4])('returns gaps whose numbers have %s bytes', (width) => {
    const last = width === 1 ? 2 : 258;
    const pairs = Array.from({ length: 2 * (last + 1) }, () => NO_STRING);
    pairs.splice(2, 2, 0, NO_STRING);
    pairs.splice(2 * last, 2, 1, 2);
    const gaps = Buffer.alloc(CHUNKS * width);
    for (const [chunk, gap] of [1, last, 0].entries()) gaps.writeUIntLE(gap, chunk * width, width);
    const texts = textsOf({ ...pack, gap_pairs: bytesOf(pairs), chunk_gaps: gaps });
    const seen = [0, 1, 2].map((chunk) => [
      texts.before(chunk)?.toString(),
      texts.after(chunk)?.toString(),
    ]);
    expect(seen).toEqual([
      ['', undefined],
      ['\n\n', '  \n'],
      [undefined, undefined],
    ]);
  });

  it('has no gaps in packs that recorded none', () => {
    const texts = textsOf(pack);
    expect([texts.before(0), texts.after(2)]).toEqual([undefined, undefined]);
  });
});
