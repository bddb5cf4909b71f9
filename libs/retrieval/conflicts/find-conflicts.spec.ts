import { describe, expect, it } from '@jest/globals';

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
});
