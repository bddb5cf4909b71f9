import { describe, expect, it } from '@jest/globals';

import type { AnalyzedPart, ChunkRecord } from './analyzed-part.js';
import { textReader } from './analyzed-part.js';
import type { PackedChunk } from './invert-chunks.js';
import { storeTexts } from './store-texts.js';
import { TextBlocksWriter } from './text-blocks.js';

/** Texts of many lengths, some without a character and some longer than a block. */
const TEXTS = Array.from({ length: 240 }, (_, at) => {
  const length = at % 59 === 30 ? 20_000 + at : at % 41 === 7 ? 0 : (at * 7919) % 3_000;
  return Buffer.from(`${at}${'word '.repeat(length / 5)}`.slice(0, length));
});

/**
 * Returns a part of some of them, in their order; `read` receives the texts that are read one by
 * one.
 */
function partOf(places: readonly number[], read: number[]): AnalyzedPart {
  const writer = new TextBlocksWriter();
  const spans = new Uint32Array(places.length * 3);
  places.forEach((place, at) => spans.set(writer.add(TEXTS[place] as Buffer), at * 3));
  const stored = { spans, ...writer.finish() };
  const textOf = textReader(stored);
  const asked = (at: number): Uint8Array => {
    read.push(places[at] as number);
    return textOf(at);
  };
  return { stored, textOf: asked } as unknown as AnalyzedPart;
}

function packedOf(
  parts: readonly (readonly number[])[],
  order: readonly number[],
  read: number[],
): PackedChunk[] {
  const made = parts.map((places) => ({ places, part: partOf(places, read) }));
  return order.map((place) => {
    const of = made.find(({ places }) => places.includes(place)) as (typeof made)[number];
    return { part: of.part, index: of.places.indexOf(place), chunk: {} as ChunkRecord };
  });
}

const ALL = TEXTS.map((_, place) => place);
const [odd, even] = [
  ALL.filter((place) => place % 2 === 1),
  ALL.filter((place) => place % 2 === 0),
];

describe('the texts of a pack', () => {
  it.each([
    ['one part', [ALL], ALL],
    ['two, one after the other', [ALL.slice(0, 100), ALL.slice(100)], ALL],
    ['parts in another order', [ALL.slice(170), ALL.slice(0, 90), ALL.slice(90, 170)], ALL],
    ['parts that alternate', [odd, even], ALL],
    ['a part of which some are left out', [ALL], ALL.filter((place) => place % 37 !== 5)],
    ['a part turned round', [ALL], ALL.toReversed()],
    ['a part and its beginning again', [ALL], [...ALL, ...ALL.slice(0, 30)]],
  ])('of %s are stored as if each had been added', (_, parts, order) => {
    const writer = new TextBlocksWriter();
    const spans = order.map((place) => writer.add(TEXTS[place] as Buffer));
    const stored = storeTexts(packedOf(parts, order, []));
    expect([...stored.spans]).toEqual(spans.flat());
    const { table, data } = writer.finish();
    expect(stored.table).toEqual(table);
    expect(Buffer.compare(stored.data, data)).toBe(0);
  });

  it('are copied in whole blocks if they have the same order as in their part', () => {
    const read: number[] = [];
    const { table } = storeTexts(packedOf([ALL], ALL, read));
    expect(table.length / 4).toBeGreaterThan(10);
    // Those of the last block alone.
    expect(read.length).toBeLessThan(20);
    expect(read.at(-1)).toBe(ALL.length - 1);
  });
});
