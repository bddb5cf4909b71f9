import { describe, expect, it } from '@jest/globals';

import type { GenerationEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { generationDecider, isDropped } from './generation.decider.js';

const { given } = specify(generationDecider);
const dropped = (generation: number): GenerationEvent => ({
  type: 'GenerationDropped',
  data: { source_id: 's1', generation, reason: 'superseded' },
});

describe('generation', () => {
  it('is dropped once, independently of others', () => {
    given()
      .when({ type: 'DropGeneration', data: dropped(1).data })
      .then(dropped(1));
    given(dropped(1))
      .when({ type: 'DropGeneration', data: { ...dropped(1).data, reason: 'source_removed' } })
      .thenNothingHappened();
    given(dropped(1))
      .when({ type: 'DropGeneration', data: dropped(2).data })
      .then(dropped(2));
  });

  it('keeps a record of every dropped one', () => {
    const state = given(dropped(1), dropped(3)).thenState();
    expect([1, 2, 3].map((generation) => isDropped(state, generation))).toEqual([
      true,
      false,
      true,
    ]);
  });
});
