import { describe, expect, it } from '@jest/globals';

import { readFields } from '#contracts/content/operation-text';

import { CHUNK_CHARACTERS, layOut } from './layout.js';
import { References } from './references.js';
import { SchemaReader } from './schema-fields.js';

const WORDS = 'Something that takes a while to explain, and then some more of it';

function nested(outer: number, inner: number): object {
  const fields = (name: string, count: number, field: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, field]));
  const leaf = { type: 'string', description: WORDS };
  return {
    type: 'object',
    properties: fields('outer', outer, {
      type: 'object',
      properties: fields('inner', inner, leaf),
    }),
  };
}

describe('the layout of an operation', () => {
  const shape = new SchemaReader(new References({})).shapeOf(nested(6, 12));
  const body = {
    heading: 'Request body',
    fields: [{ name: 'application/json', required: true, description: '', shape }],
  };
  const places = (texts: readonly string[]): string[] => [
    ...new Set(readFields(texts.join('\n')).map(({ place }) => place.join(' > '))),
  ];
  const wanted = [
    'Request body',
    'Request body > application/json',
    ...Array.from({ length: 6 }, (_, at) => `Request body > application/json > outer${at}`),
    ...Array.from(
      { length: 72 },
      (_, at) => `Request body > application/json > outer${Math.floor(at / 12)} > inner${at % 12}`,
    ),
  ];

  it.each([
    ['as deep as fits, and the rest below headings of its own', [3, 2, 1, 0]],
    ['as deep as is asked, cut wherever a chunk is full', [3]],
  ])('has every field in its place: %s', (_, depths) => {
    const tries = depths.map((depth) => () => depth);
    const { texts } = layOut(
      { title: '# POST /nested', about: 'About', sections: [body] },
      tries,
      true,
    );
    expect(texts.length).toBeGreaterThan(1);
    expect(places(texts).sort()).toEqual(wanted.toSorted());
    for (const text of texts) {
      expect(text.startsWith('# POST /nested\n')).toBe(true);
      expect(text.length).toBeLessThanOrEqual(CHUNK_CHARACTERS + 300);
    }
  });
});
