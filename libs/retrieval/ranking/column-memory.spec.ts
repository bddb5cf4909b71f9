import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { ColumnMemory } from './column-memory.js';

describe('ColumnMemory', () => {
  it('gives columns that share no bytes, also when it grows', () => {
    const request = fc.record({
      kind: fc.constantFrom('floats' as const, 'numbers' as const, 'bytes' as const),
      count: fc.nat(90),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 30 }), fc.nat(500), (requests, bytes) => {
        const memory = new ColumnMemory(bytes);
        for (let round = 0; round < 2; round += 1) {
          memory.clear();
          const columns = requests.map(({ kind, count }, at) => memory[kind](count).fill(at));
          columns.forEach((column, at) => {
            expect(Array.from(column)).toEqual(new Array(requests[at]?.count).fill(at));
          });
        }
      }),
    );
  });

  it('keeps 1 MiB at most after a ranking of many chunks', () => {
    const memory = new ColumnMemory(8);
    expect(memory.floats(300_000).buffer.byteLength).toBeGreaterThan(2_000_000);
    memory.clear();
    expect(memory.floats(1).buffer.byteLength).toBe(1_048_576);
  });
});
