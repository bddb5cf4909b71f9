import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v5 } from 'uuid';

import { uuidv5 } from './derived-id.js';

const NAMESPACE = '6f6f746e-6f74-5e00-8000-666e742d6964';

describe('an id that is derived from parts', () => {
  it('is the UUID of version 5 of their text, in any script', () => {
    const part = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const name = parts.map((each) => `${each.length}:${each}`).join('|');
        expect(uuidv5(...parts)).toBe(v5(name, NAMESPACE));
      }),
    );
  });

  it('rejects half of a surrogate pair, which would share its id with other text', () => {
    expect(() => uuidv5('a\ud800')).toThrow(URIError);
    expect(() => v5('a\ud800', NAMESPACE)).toThrow(URIError);
  });
});
