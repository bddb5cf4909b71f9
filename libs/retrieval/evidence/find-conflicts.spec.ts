import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { findConflicts } from './find-conflicts.js';

describe('findConflicts', () => {
  it('names endpoints with more than one schema, and who says what', () => {
    const conflicts = findConflicts([
      { endpointKey: 'POST /b', schemaHash: 'h2', sourceName: 'Two' },
      { endpointKey: 'POST /b', schemaHash: 'h1', sourceName: 'One' },
      { endpointKey: 'GET /a', schemaHash: 'h1', sourceName: 'One' },
      { endpointKey: 'GET /a', schemaHash: 'h1', sourceName: 'Two' },
    ]);
    expect(conflicts).toEqual([
      {
        endpoint_key: 'POST /b',
        sources: ['One', 'Two'],
        schema_hashes: ['h1', 'h2'],
        description: 'POST /b is described with 2 different schemas by One, Two.',
      },
    ]);
  });

  const word = (...words: string[]) => fc.constantFrom(...words);
  const description = fc.record({
    endpointKey: word('GET /a', 'GET /b', 'POST /a'),
    schemaHash: word('h1', 'h2', 'h3'),
    sourceName: word('One', 'Two', 'Three'),
  });
  const descriptions = fc.array(description, { maxLength: 20 });

  it('finds every endpoint with more than one schema and no other, with all who describe it', () => {
    fc.assert(
      fc.property(descriptions, (given) => {
        const found = new Map(
          findConflicts(given).map((conflict) => [conflict.endpoint_key, conflict]),
        );
        for (const [key, group] of Map.groupBy(given, ({ endpointKey }) => endpointKey)) {
          const hashes = [...new Set(group.map(({ schemaHash }) => schemaHash))].sort();
          const conflict = found.get(key);
          expect(conflict !== undefined).toBe(hashes.length > 1);
          if (conflict === undefined) continue;
          expect(conflict.schema_hashes).toEqual(hashes);
          expect(conflict.sources).toEqual(
            [...new Set(group.map(({ sourceName }) => sourceName))].sort(),
          );
        }
      }),
    );
  });

  it('is the same in any order', () => {
    const mixed = descriptions.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
    );
    fc.assert(
      fc.property(mixed, ([given, other]) =>
        expect(findConflicts(other)).toEqual(findConflicts(given)),
      ),
    );
  });
});
