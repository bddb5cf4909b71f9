import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { jsonArrayItems } from './array-items.js';

const parse = async (value: unknown) =>
  jsonArrayItems(Buffer.from(JSON.stringify(value)), ['documents', 'packs']);

describe('jsonArrayItems', () => {
  it('returns the objects of the named arrays alone', async () => {
    const value = {
      format: 1,
      note: 'a "documents": [{}] in a text, with a \\ at its end\\',
      nested: { documents: [{ path: 'inner' }] },
      documents: [{ path: 'a"}]', tags: ['x', { y: [1] }] }, { path: 'ü😀' }],
      others: [{ path: 'other' }],
      packs: [{ hash: 'h' }],
    };
    expect(await parse(value)).toEqual({ documents: value.documents, packs: value.packs });
    expect(await parse({ packs: [] })).toEqual({ documents: [], packs: [] });
  });

  it('equals JSON.parse for any objects', async () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.array(object), fc.array(object), fc.jsonValue(), async (a, b, other) => {
        const value = { a: other, documents: a, b: { packs: other }, packs: b };
        expect(await parse(value)).toEqual(JSON.parse(JSON.stringify({ documents: a, packs: b })));
      }),
    );
  });
});
