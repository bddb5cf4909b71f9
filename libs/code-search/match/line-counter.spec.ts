import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { LineCounter } from './line-counter.js';

/** Line feeds and bytes that differ from them in one bit, the highest one included. */
const byte = fc.oneof(fc.constantFrom(0x0a, 0x0b, 0x8a, 0x00, 0x80, 0xff, 0x09), fc.nat(255));

describe('LineCounter', () => {
  it('counts line feeds up to any offsets of any bytes at any address', () => {
    fc.assert(
      fc.property(
        fc.array(byte, { maxLength: 60 }),
        fc.nat(7),
        fc.array(fc.nat(60), { maxLength: 5 }),
        (values, address, offsets) => {
          const memory = Buffer.alloc(address + values.length, 0x0a);
          memory.set(values, address);
          const counter = new LineCounter(memory.subarray(address), 0, 0);
          for (const offset of offsets.sort((a, b) => a - b).filter((at) => at <= values.length)) {
            const expected = values.slice(0, offset).filter((value) => value === 0x0a).length;
            expect(counter.lineAt(offset)).toBe(expected);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
