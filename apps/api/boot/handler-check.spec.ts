import { describe, expect, it } from '@jest/globals';

import { handlerProblem } from './handler-check.js';

class Rename {}
class Remove {}

describe('the start-up check of handlers', () => {
  it('is content when each use case has one', () => {
    expect(
      handlerProblem(
        [Rename, Remove],
        [
          { handler: 'A', handled: Rename },
          { handler: 'B', handled: Remove },
        ],
      ),
    ).toBeNull();
  });

  it.each([
    ['none', [], 'Rename has no handler: add it to USE_CASE_HANDLERS.'],
    ['two', ['A', 'B'], 'Rename has 2 handlers (A, B): keep one.'],
  ])('names the fix where there is %s', (_, names, sentence) => {
    expect(
      handlerProblem(
        [Rename],
        names.map((handler) => ({ handler, handled: Rename })),
      ),
    ).toBe(sentence);
  });

  it('finds a handler whose use case is not listed', () => {
    expect(handlerProblem([], [{ handler: 'A', handled: Remove }])).toBe(
      'Remove is handled by A but is not in USE_CASES: add it.',
    );
  });
});
