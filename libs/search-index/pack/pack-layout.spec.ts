import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'uuid';

import { uuidBytes, uuidText } from './pack-layout.js';

describe('the text of a UUID', () => {
  it('is that of the uuid library, wherever the bytes are', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(bytes, fc.nat(20), (id, start) => {
        // Versions and variants are checked by the library only.
        id[6] = 0x50 | ((id[6] as number) & 15);
        id[8] = 0x80 | ((id[8] as number) & 63);
        expect(uuidText(Buffer.concat([new Uint8Array(start), id]), start)).toBe(stringify(id));
      }),
    );
  });
});

describe('the bytes of a UUID', () => {
  it('are those that its text is made of, in either case and without dashes too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (id) => {
        const text = uuidText(id, 0);
        for (const form of [text, text.toUpperCase(), text.replaceAll('-', '')])
          expect(Buffer.from(uuidBytes(form) ?? []).equals(id)).toBe(true);
      }),
    );
  });

  it.each([
    '',
    'no id',
    '01234567-89ab-cdef-0123-456789abcde',
    '01234567-89ab-cdef-0123-456789abcdef0',
    '01234567-89ab-cdef-0123-456789abcdeg',
    '01234567-89ab-cdef-0123-456789abcdeé',
  ])('are undefined for any other text: "%s"', (text) => {
    expect(uuidBytes(text)).toBeUndefined();
  });
});
