import { describe, expect, it } from '@jest/globals';

import { missingContentWarnings } from './missing-content.js';
import { nothingFound } from './refusal.js';

describe('missingContentWarnings', () => {
  it('names each source, and says apart which the index still answers for', () => {
    expect(missingContentWarnings([], [])).toEqual([]);
    expect(missingContentWarnings(['A', 'B'], ['C'])).toEqual([
      'Content of "A" is missing; sync it to search it again',
      'Content of "B" is missing; sync it to search it again',
      'Content of "C" is missing and only the search index still has it; sync it to build it again',
    ]);
  });

  it('counts what is more than twenty', () => {
    const names = Array.from({ length: 23 }, (_, index) => `S${index}`);
    const warnings = missingContentWarnings(names, []);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe(
      'Content of 3 more sources is missing; sync them to search them again',
    );
  });

  it('stands first among what an answer without evidence suggests', () => {
    const left = {
      stale: 0,
      withoutPriority: 0,
      missingContent: missingContentWarnings(['A'], []),
    };
    for (const searched of [0, 2]) {
      expect(nothingFound('q', searched, left).suggestions[0]).toBe(
        'Content of "A" is missing; sync it to search it again',
      );
    }
  });
});
