import { describe, expect, it } from '@jest/globals';

import type { PackTables } from '../../pack/pack-tables.js';
import { frequencyOf, leastPosting, ListedPostings, placeOf } from './listed-postings.js';

/** A pack with one term for each list of chunks and their frequencies. */
function pack(chunkCount: number, terms: readonly (readonly [number, number])[][]): PackTables {
  const postings = terms.flat();
  let end = 0;
  return {
    chunkCount,
    terms: { size: terms.length },
    lengths: Array.from({ length: chunkCount }, (_, chunk) => 10 * chunk),
    idPrefix: (chunk: number) => 2 ** 31 + chunk,
    postingOffsets: [0, ...terms.map((list) => (end += list.length))],
    postingChunks: postings.map(([chunk]) => chunk),
    postingFrequencies: postings.map(([, frequency]) => frequency),
  } as unknown as PackTables;
}

describe('copies of postings', () => {
  const read = (listed: ListedPostings, slot: number, term: number) => {
    const entry = listed.entryOf(slot, term);
    const own = listed.postings.subarray(listed.starts[entry], listed.starts[entry + 1]);
    const first = listed.firstPlace(slot);
    return Array.from(own, (posting) => [placeOf(posting) - first, frequencyOf(posting)]);
  };
  const terms = [[[0, 1] as const, [2, 255] as const], [[1, 7] as const]];

  it('have the chunks and frequencies of each pack', () => {
    const listed = new ListedPostings();
    listed.add(0, pack(3, terms));
    listed.add(1, pack(9, [[[8, 3]], [], [[0, 2]]]));
    expect([0, 1].map((term) => read(listed, 0, term))).toEqual(terms);
    expect([0, 1, 2].map((term) => read(listed, 1, term))).toEqual([[[8, 3]], [], [[0, 2]]]);
    const place = listed.firstPlace(1) + 8;
    expect([listed.lengths[place], listed.idPrefixes[place], listed.slots[place]]).toEqual([
      80,
      2 ** 31 + 8,
      1,
    ]);
  });

  it('use the memory of a removed pack again, and move no other pack', () => {
    const listed = new ListedPostings();
    listed.add(0, pack(3, terms));
    listed.add(1, pack(3, terms));
    const { places } = listed;
    listed.remove(0);
    listed.add(0, pack(3, [[[2, 9]], [[0, 4]]]));
    expect(listed.places).toBe(places);
    expect([read(listed, 0, 0), read(listed, 1, 0)]).toEqual([[[2, 9]], terms[0]]);
  });

  it('have room for places of 24 bits', () => {
    const listed = new ListedPostings();
    expect(listed.hasRoomFor(pack(1, []))).toBe(true);
    for (const [chunkCount, fits] of [
      [2 ** 23 - 1, true],
      [2 ** 23, false],
    ] as const)
      expect(listed.hasRoomFor({ chunkCount } as PackTables)).toBe(fits);
    const last = 2 ** 24 - 1;
    expect(placeOf(Uint32Array.of(leastPosting(last) + 255)[0] as number)).toBe(last);
  });
});
