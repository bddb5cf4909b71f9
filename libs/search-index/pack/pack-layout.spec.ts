import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'uuid';

import { uuidText } from './pack-layout.js';

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
